// npm run installs: every install line of the README and the guides, each from a blank home: in a clone, and with the packed package.
// A line that is not known here fails, so that none is written that nobody tries.
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, delimiter, join, relative } from 'node:path'
import { fences } from './lib/markdown.mjs'
import { prepare } from './lib/prepare.mjs'
import { say, step } from './lib/progress.mjs'
import { fail, npm, root, run } from './lib/run.mjs'

const desk = mkdtempSync(join(tmpdir(), 'throughline-installs-'))
let homes = 0
const isClone = (line) => Number(line === 'npm start')

/** Each line with what must come of it. `NAME` is the package, which is the tarball until it is published. */
const tries = [
  [/^npm start$/, fromClone],
  [/^npm test$/, () => 'the suite itself: npm test'],
  [/^(?:claude mcp add throughline -- )?npx -y NAME mcp$/, (line, home) => speaks(line.replace(/^.*-- /, ''), home)],
  [/^npx NAME --version$/, (line, home) => sh(line, home)],
  [/^npm install --global NAME$/, async (line, home) => (await sh(line, home)) && sh('throughline --version', home)],
  [/^npm install NAME$/, async (line, home) => (await sh(line, home)) && everyDoor(home)],
  // what others publish; this one wants a server that runs, so that it is only looked whether it can be had
  [/^npx -y @modelcontextprotocol\/conformance@/, (line, home) => sh(`npm view ${line.split(' ')[2]} version`, home)],
  [/^npm install [\w@/ -]+$/, (line, home) => sh(line, home)],
]

try {
  await prepare()
  const tarball = await step('pack', pack)
  const lines = new Map([['npx NAME --version', 'the tarball itself']])
  for (const [line, place] of written()) if (!lines.has(line)) lines.set(line, place)
  const failed = []
  // a clone takes longest
  for (const [line, place] of [...lines].sort(([one], [other]) => isClone(one) - isClone(other))) {
    const found = tries.find(([form]) => form.test(line))
    if (!found) throw new Error(`${place}: nobody tries '${line}'`)
    await step(`${line}   (${place})`, async () => {
      const told = await found[1](line.replaceAll('NAME', `./${basename(tarball)}`), blank(tarball))
      if (typeof told === 'string') say(`  ${told.trim().split('\n').at(-1)}`)
    }).catch((error) => {
      failed.push(line)
      say(`  ${(error.output ?? error.message).trim()}`)
    })
  }
  if (failed.length > 0) throw new Error(`These lines fail: ${failed.join('; ')}`)
} catch (error) {
  fail(error)
} finally {
  rmSync(desk, { recursive: true, force: true })
}

/** Lines of shell blocks, and commands of settings, that install or start something by npm or npx. */
function* written() {
  const guides = readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md') && !/^(decisions|surface|incidents)/.test(name))
    .map((name) => join(root, 'docs', name))
  const pages = ['README.md', 'CONTRIBUTING.md', 'examples/README.md'].map((name) => join(root, name))
  for (const page of [...pages, ...guides.sort()]) {
    const text = readFileSync(page, 'utf8')
    for (const { lang, body } of fences(text)) {
      const settings = [...body.matchAll(/"command": "npx", "args": (\[[^\]]*\])/g)].map(
        ([, args]) => `npx ${JSON.parse(args).join(' ')}`,
      )
      const commands = lang === 'sh' ? body.split('\n') : []
      for (const line of [...commands, ...settings]) {
        const command = line.replace(/\s+#.*$/, '').trim()
        if (/^(npm (i|install|start|test)\b|npx |claude mcp add)/.test(command) && !command.includes('vitest'))
          yield [
            command.replace(/ throughline(?= |$)(?! --)/g, ' NAME').replace(/ throughline$/, ' NAME'),
            relative(root, page),
          ]
      }
    }
  }
}

async function pack() {
  const { stdout } = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', desk])
  const found = JSON.parse(stdout)
  const [{ filename }] = Array.isArray(found) ? found : Object.values(found)
  return join(desk, filename)
}

function blank(tarball) {
  const home = join(desk, `home-${++homes}`)
  mkdirSync(home)
  copyFileSync(tarball, join(home, basename(tarball)))
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'blank', private: true, type: 'module' }))
  return home
}

/** Nothing of this machine but Node, npm and where the registry is: what else this user has set for npm is no newcomer's. */
function around(home, more = {}) {
  const shed = Object.keys(process.env).filter((name) =>
    /^npm_config_(?!registry$|cache$|cafile$|.*proxy$)/i.test(name),
  )
  return {
    ...Object.fromEntries(shed.map((name) => [name, undefined])),
    ...{ HOME: home, npm_config_prefix: join(home, '.local'), npm_config_update_notifier: 'false', NO_COLOR: '1' },
    ...{ PATH: [join(home, '.local', 'bin'), process.env.PATH].join(delimiter), THROUGHLINE_DETECT_MODELS: 'false' },
    ...more,
  }
}

async function sh(line, cwd) {
  return (await run('sh', ['-e', '-c', line], { cwd, env: around(cwd) })).stdout || 'done'
}

async function everyDoor(home) {
  const { exports: doors, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const names = Object.keys(doors).filter((door) => door !== './package.json')
  const peers = Object.keys(peerDependencies ?? {})
  const body = names.map((door) => `await open('throughline${door.slice(1)}')`).join('\n')
  writeFileSync(
    join(home, 'doors.mjs'),
    `const open = (name) => import(name).catch((error) => {
  if (!${JSON.stringify(peers)}.some((peer) => error.message.includes(peer))) throw error
})
${body}
console.log('${names.length} doors open')
`,
  )
  return sh('node doors.mjs', home)
}

/** Says hello over MCP. */
async function speaks(line, home) {
  const hello = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'installs', version: '1' } },
  }
  const { stdout } = await run('sh', ['-c', line], {
    cwd: home,
    env: around(home),
    input: `${JSON.stringify(hello)}\n`,
  })
  const { result } = JSON.parse(stdout.split('\n')[0])
  return `${result.serverInfo.name} ${result.serverInfo.version} answers`
}

/** A clone of what is committed, with nothing installed: the line installs, builds and serves. */
async function fromClone(line, home) {
  const clone = join(home, basename(root))
  await run('git', ['clone', '-q', '--depth', '1', `file://${root}`, clone])
  const env = { ...process.env, ...around(home, { THROUGHLINE_PORT: String(await freePort()) }) }
  const child = spawn('sh', ['-c', `exec ${line}`], {
    cwd: clone,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  try {
    return await new Promise((resolve, reject) => {
      let said = ''
      child.stderr.on('data', (chunk) => {
        said += chunk
        const url = /address +(http:\S+)/.exec(said)?.[1]
        if (url && said.includes('Ctrl-C')) resolve(url)
      })
      child.on('close', () => reject(new Error(`the service did not start: ${said}`)))
    }).then(async (url) => `${url} answers with ${(await fetch(url)).status}`)
  } finally {
    process.kill(-child.pid, 'SIGTERM')
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
