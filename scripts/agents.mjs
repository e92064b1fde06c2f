/**
 * Runs coding agents against a scripted provider, directly and through this service, and writes `docs/agents.md`.
 * They are installed into a cache outside of the tree, and run where the network is loopback and nothing else.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clients } from './agents/clients.mjs'
import { tryAgent } from './agents/trial.mjs'

const cache = process.env.THROUGHLINE_AGENTS_CACHE ?? join(homedir(), '.cache/throughline-agents')
/** Agents wait more than they work. */
const together = 3
const [mode, ...rest] = process.argv.slice(2)
const names = (mode === '--inside' ? rest : process.argv.slice(2)).filter((name) => Object.hasOwn(clients, name))
const wanted = names.length > 0 ? names : Object.keys(clients)

const columns = [
  ['agent', ({ client }) => `${client.name} ${client.version}`],
  ['direct, 8 turns', ({ direct }) => direct],
  ['through us', ({ through }) => through],
  ['one session, one conversation', ({ recorded }) => recorded],
  [
    'requests upstream',
    ({ differences, pair }) =>
      differences.length > 0
        ? `**${differences.length} differ**`
        : pair > 1
          ? `identical (pair ${pair} of runs)`
          : 'identical',
  ],
  ['60 rounds over a small window', ({ rounds }) => rounds],
  ['MCP', ({ mcp }) => mcp],
  ["as a task's agent", ({ task }) => task],
  ['read from cache, direct / through us', ({ cached }) => cached],
]

const isGood = (cell) => !cell.includes('**')
const line = (row) => `| ${columns.map(([, of]) => of(row)).join(' | ')} |`

if (mode === '--inside') await inside()
else {
  for (const name of wanted) install(clients[name])
  execFileSync('npm', ['run', '-s', 'build'], { stdio: 'inherit' })
  const self = fileURLToPath(import.meta.url)
  const script = 'ip link set lo up && exec "$@"'
  const flags = process.getuid?.() === 0 ? ['-n'] : ['-rn']
  const done = spawnSync(
    'unshare',
    [...flags, 'sh', '-c', script, 'sh', process.execPath, self, '--inside', ...wanted],
    {
      stdio: 'inherit',
    },
  )
  process.exit(done.status ?? 1)
}

function install({ package: name, version, node }) {
  put(name, version)
  if (node) put('node', String(node))
}

function put(name, version) {
  const folder = join(cache, name.replaceAll('/', '+'))
  if (existsSync(join(folder, 'node_modules'))) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  process.stderr.write(`installing ${name}@${version}\n`)
  execFileSync('npm', ['i', '--no-audit', '--no-fund', '--loglevel', 'error', `${name}@${version}`], { cwd: folder })
}

async function inside() {
  const rows = []
  const waiting = [...wanted]
  const work = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      const root = mkdtempSync(join(tmpdir(), 'throughline-agents-'))
      const row = await tryAgent(clients[name], { root, cache })
      rmSync(root, { recursive: true, force: true })
      rows.push(row)
      write(rows)
      process.stdout.write(`${line(row)}\n`)
      for (const one of row.differences) process.stdout.write(`    ${one}\n`)
      for (const one of row.reasons) process.stdout.write(`    may differ, ${one}\n`)
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  const missed = rows.filter((row) => columns.some(([, of]) => !isGood(of(row))))
  process.exit(missed.length === 0 ? 0 : 1)
}

function write(rows) {
  const file = fileURLToPath(new URL('../docs/agents.md', import.meta.url))
  const head = `| ${columns.map(([title]) => title).join(' | ')} |\n|${columns.map(() => ' --- |').join('')}`
  const text = readFileSync(file, 'utf8')
  // who was not tried this time keeps the line of the last time, unless there are other columns now
  const before = text.includes(head) ? text.split('\n') : []
  const lines = Object.values(clients).flatMap((client) => {
    const row = rows.find((one) => one.client === client)
    return row ? line(row) : before.filter((one) => one.startsWith(`| ${client.name} ${client.version} |`))
  })
  const table = [head, ...lines].join('\n')
  const between = (name, inner) => (now) =>
    now.replace(
      new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`),
      (_, begin, end) => `${begin}${inner}\n${end}`,
    )
  const told = /<!-- reasons -->\n([\s\S]*?)\n<!-- /.exec(text)?.[1].split('\n') ?? []
  const now = rows.flatMap((row) => row.reasons.map((one) => `- ${one}`))
  const reasons = [...new Set([...(wanted.length < Object.keys(clients).length ? told : []), ...now])].sort()
  writeFileSync(file, between('reasons', reasons.join('\n'))(between('table', table)(text)))
}
