// npm run bench [-- --only speed|prefix|counts|size|store|postgres|search|import|service|neighbour|replica|forward|mcp|web] [--shape text|agents] [--quick] [--json] [--write]
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'

const benches = {
  speed: async (options) => {
    const { speed, speedTables } = await import('./speed.mjs')
    return [await speed(options), speedTables]
  },
  prefix: async (options) => {
    const { prefix, prefixTables } = await import('./prefix.mjs')
    return [await prefix(options), prefixTables]
  },
  counts: async () => {
    const { counts, countsTables } = await import('./counts.mjs')
    return [await counts(), countsTables]
  },
  size: async (options) => {
    const { size, sizeTables } = await import('./size.mjs')
    return [await size(options), sizeTables]
  },
  store: async (options) => {
    const { store, storeTables } = await import('./store.mjs')
    return [await store(options), storeTables]
  },
  postgres: async (options) => {
    const { postgres, storeTables } = await import('./store.mjs')
    return [await postgres(options), storeTables]
  },
  search: async (options) => {
    const { search, searchTables } = await import('./search.mjs')
    return [await search(options), searchTables]
  },
  import: async (options) => {
    const { imports, importTables } = await import('./import.mjs')
    return [await imports(options), importTables]
  },
  service: async (options) => {
    const { service, serviceTables } = await import('./service.mjs')
    return [await service(options), serviceTables]
  },
  neighbour: async (options) => {
    const { neighbour, neighbourTables } = await import('./neighbour.mjs')
    return [await neighbour(options), neighbourTables]
  },
  replica: async (options) => {
    const { replica, replicaTables } = await import('./replica.mjs')
    return [await replica(options), replicaTables]
  },
  forward: async (options) => {
    const { forward, forwardTables } = await import('./forward.mjs')
    return [await forward(options), forwardTables]
  },
  mcp: async (options) => {
    const { mcp, mcpTables } = await import('./mcp.mjs')
    return [await mcp(options), mcpTables]
  },
  web: async (options) => {
    const { web, webTables } = await import('./web.mjs')
    return [await web(options), webTables]
  },
}

const usage = `npm run bench -- [--only ${Object.keys(benches).join('|')}] [--shape text|agents] [--quick] [--json] [--write]

  --only   one part; may be given more than once
  --shape  histories of one shape alone, for speed, store and postgres
  --quick  shorter: up to 10,000 messages, 100 turns, a quarter of a second for each figure, 100,000 messages in a store
  --json   results as JSON on stdout, tables on stderr
  --write  the tables, the bars and the machine to docs/benchmarks.md as well
`

const page = new URL('../docs/benchmarks.md', import.meta.url)

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    shape: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const chosen = values.only ?? Object.keys(benches)
const unknown = chosen.find((name) => !Object.hasOwn(benches, name))

if (values.help || unknown !== undefined) {
  if (unknown !== undefined) process.stderr.write(`There is no bench '${unknown}'.\n\n`)
  process.stderr.write(usage)
  process.exitCode = unknown === undefined ? 0 : 2
} else await main()

async function main() {
  const say = (line) => process.stderr.write(`${line}\n`)
  const shown = []
  const show = (text) => {
    shown.push(text)
    const out = values.json ? process.stderr : process.stdout
    out.write(`${text}\n`)
  }
  const [load] = loadavg()
  const machine = { node: process.version, cpu: cpus()[0].model, cores: cpus().length, load: Number(load.toFixed(2)) }
  const results = { machine, quick: values.quick }
  const bars = []
  const began = performance.now()
  for (const name of chosen) {
    const [result, tables] = await benches[name]({ quick: values.quick, shape: values.shape, say })
    results[name] = result
    bars.push(...result.bars)
    for (const text of tables(result)) show(`\n${text}`)
  }
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  if (results.speed) show(`Peers: ${results.speed.versions.join(', ')}`)
  show(
    `Node ${machine.node}, ${machine.cores} x ${machine.cpu}, load ${machine.load} at the start, ${minutes} minutes\n`,
  )
  for (const { bar, ok, figure } of bars) show(`${ok ? '✓' : '✗'} ${bar}: ${figure}`)
  if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
  if (values.write) await writeFile(page, pageOf(shown.join('\n'), machine))
}

/** What was shown, as it was shown, with what one has to know to read it. */
function pageOf(text, { cores, load }) {
  const only = [...chosen.map((name) => `--only ${name}`), ...(values.shape ? [`--shape ${values.shape}`] : [])]
  const asked = [...only, ...(values.quick ? ['--quick'] : []), '--write'].join(' ')
  const busy =
    load > cores / 2
      ? `The machine was busy with other work (load ${load} on ${cores} cores): take the shares, not the times, and those with a grain of salt.\n\n`
      : ''
  return `# Benchmarks

Written by \`npm run bench -- ${asked}\`; do not edit. What each row does, and what is fair about it and what is not, is in
[bench/README.md](../bench/README.md). A bar that is missed is marked ✗.

${busy}\`\`\`text
${text.trim()}
\`\`\`
`
}
