// The package beside its peers: the same chat with two tools, memory and a budget of 4,000 tokens in each of them, installed in a folder
// of its own, run, its lines counted, its install weighed, its imports timed.
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './progress.mjs'
import { node, npm, root } from './run.mjs'

const programs = join(root, 'examples', 'compare')
const tokenizer = join(root, 'node_modules', 'gpt-tokenizer', 'esm', 'encoding', 'o200k_base.js')
const openai = '@ai-sdk/openai@^4.0.114'

/** As a reader of each guide would install them; pinned where the newest ask for packages that cannot be had. */
const rows = [
  { name: 'Throughline', program: 'throughline', packages: [openai, 'ai@^7.0.169', 'zod'] },
  { name: 'AI SDK', program: 'ai-sdk', packages: ['ai@^7.0.169', openai, 'zod'] },
  {
    name: 'LangGraph',
    program: 'langgraph',
    packages: [
      '@langchain/core@1.2.13',
      '@langchain/langgraph@1.4.18',
      '@langchain/langgraph-checkpoint@1.1.5',
      '@langchain/openai@1.5.8',
      'zod',
    ],
    overrides: { '@langchain/protocol': '0.0.19' },
  },
  {
    name: 'Mastra',
    program: 'mastra',
    packages: ['@mastra/core@1.71.0', '@mastra/memory@^1.0.0', '@mastra/libsql@1.23.1', openai, 'zod'],
  },
  { name: 'OpenAI Agents', program: 'openai-agents', packages: ['@openai/agents@^0.20.0', 'zod'] },
]

/** What the package promises of itself. */
export const most = { megabytes: 25, rootMs: 40, engineMs: 90, moreLines: 2 }

/** `tarball` installed alone is weighed; everything else has a folder below `folder`. */
export async function beside(tarball, folder) {
  const alone = join(folder, 'alone')
  // the SQLite for Node 20 is optional: the library alone is what it is without
  const whole = join(folder, 'whole')
  await install(alone, [tarball, '--omit=optional'])
  await install(whole, [tarball])
  const found = []
  for (const row of rows) {
    const here = join(folder, row.program)
    await install(here, row.name === 'Throughline' ? [tarball, ...row.packages] : row.packages, row.overrides)
    found.push({ ...row, here, ...(await run(here, row.program)) })
  }
  const imports = [
    ['throughline', alone, ["import 'throughline'"]],
    ['engine + sqlite', alone, ["import 'throughline/engine'", "import 'throughline/sqlite'"]],
    ...found.map(({ name, here, program }) => [name, here, importsOf(program)]),
  ]
  const times = await cold(imports)
  const own = { ...weigh(alone), whole: weigh(whole), rootMs: times.throughline, engineMs: times['engine + sqlite'] }
  const table = found.map((row) => ({ ...row, ...weigh(row.here), ms: times[row.name] }))
  return { own, table }
}

export function pageOf({ own, table }) {
  const cells = table.map(
    ({ name, lines, megabytes, packages, ms }) =>
      `| ${name === 'Throughline' ? `**${name}**` : name} | ${lines} | ${megabytes} MB | ${packages} | ${ms} ms |`,
  )
  return [
    '| | lines | install | packages | cold import |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...cells,
    '',
    `Throughline alone: ${own.megabytes} MB and ${own.packages} packages, ${own.whole.megabytes} MB and ${own.whole.packages} with the SQLite for Node 20, which \`--omit=optional\` leaves out;`,
    `its root is imported in ${own.rootMs} ms, engine and SQLite in ${own.engineMs} ms.`,
  ].join('\n')
}

/** What is over its limit, in words. */
export function faultsOf({ own, table }) {
  const [ours, ...others] = table.map(({ lines }) => lines)
  const least = Math.min(...others)
  return [
    own.megabytes > most.megabytes && `an install has ${own.megabytes} MB of ${most.megabytes}`,
    own.rootMs > most.rootMs && `the root takes ${own.rootMs} ms of ${most.rootMs}`,
    own.engineMs > most.engineMs && `engine and SQLite take ${own.engineMs} ms of ${most.engineMs}`,
    ours > least + most.moreLines && `our program has ${ours} lines, the shortest ${least}`,
  ].filter(Boolean)
}

/** Peers are named above: the registry's newest LangGraph asks for peers that it does not have. */
async function install(here, packages, overrides = {}) {
  mkdirSync(here, { recursive: true })
  writeFileSync(join(here, 'package.json'), JSON.stringify({ private: true, type: 'module', overrides }))
  await npm(['install', '--legacy-peer-deps', '--no-audit', '--no-fund', ...packages], { cwd: here })
}

/** Compiled by esbuild, which drops types and nothing else, and talked to by `drive.mjs`. */
async function run(here, program) {
  const { build } = await import('esbuild')
  const file = join(programs, `${program}.ts`)
  await build({ entryPoints: [file], outfile: join(here, 'program.mjs'), format: 'esm', logLevel: 'silent' })
  cpSync(join(programs, 'drive.mjs'), join(here, 'drive.mjs'))
  const { stdout } = await node(['drive.mjs', './program.mjs', tokenizer], { cwd: here })
  say(`  ${program}: ${stdout.trim().split('\n').at(-1)}`)
  return { lines: linesOf(readFileSync(file, 'utf8')) }
}

/** Lines with code. */
export const linesOf = (text) => text.split('\n').filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length

const importsOf = (program) =>
  readFileSync(join(programs, `${program}.ts`), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('import ') && !line.includes("'zod'"))
    .map((line) => `import '${/'(.+)'/.exec(line)[1]}'`)

function weigh(here) {
  const modules = join(here, 'node_modules')
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  const lock = JSON.parse(readFileSync(join(here, 'package-lock.json'), 'utf8'))
  const packages = Object.entries(lock.packages).filter(
    ([path, { optional }]) => path && (!optional || isThere(here, path)),
  )
  return { megabytes: Math.round(bytes / 1e6), packages: packages.length }
}

const isThere = (here, path) => statSync(join(here, path), { throwIfNoEntry: false }) !== undefined

/** Milliseconds of processor beyond those of an empty program, the median of eleven rounds in turn: others use the machine, too. */
async function cold(imports) {
  const spent = imports.map(() => [])
  const empty = []
  const time = async (here, lines) => {
    const code = `${lines.join(';')};const { user, system } = process.cpuUsage();console.log((user + system) / 1000);process.exit(0)`
    const { stdout } = await node(['--input-type=module', '-e', code], { cwd: here })
    return Number(stdout.trim().split('\n').at(-1))
  }
  for (let round = 0; round < 11; round++) {
    empty.push(await time(imports[0][1], []))
    for (const [i, [, here, lines]] of imports.entries()) spent[i].push(await time(here, lines))
  }
  const middle = (all) => all.sort((a, b) => a - b)[all.length >> 1]
  return Object.fromEntries(imports.map(([name], i) => [name, Math.round(middle(spent[i]) - middle(empty))]))
}
