// Writes docs/surface/<door>.txt: what each door of the package promises, from the built declarations.
// `--check` compares instead and fails on a difference.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare } from './lib/prepare.mjs'
import { fail, root } from './lib/run.mjs'
import { surface, undocumented } from './lib/surface.mjs'

const folder = join(root, 'docs', 'surface')
const check = process.argv.includes('--check')

try {
  await prepare()
  const silent = doors().flatMap(({ name, types }) =>
    undocumented(types).map((one) => `  ${name}: ${one.name} has no ${one.lacks}`),
  )
  if (silent.length > 0) throw new Error(`Every export has TSDoc, every function an example:\n${silent.join('\n')}`)
  const pages = new Map(doors().map(({ name, types }) => [`${name}.txt`, page(name, types)]))
  const there = existsSync(folder) ? readdirSync(folder) : []
  const stale = there.filter((file) => !pages.has(file))
  const changed = [...pages].filter(([file, text]) => read(file) !== text).map(([file]) => file)
  if (check && changed.length + stale.length > 0) {
    const names = [...changed, ...stale].map((file) => `  docs/surface/${file}`).join('\n')
    const lines = changed.flatMap((file) => [`docs/surface/${file}`, ...difference(read(file) ?? '', pages.get(file))])
    throw new Error(`The public surface changed:\n${names}\n\n${lines.join('\n')}\n\nIf it is meant: npm run surface`)
  }
  if (!check) {
    mkdirSync(folder, { recursive: true })
    for (const file of changed) writeFileSync(join(folder, file), pages.get(file))
    for (const file of stale) rmSync(join(folder, file))
    for (const file of pages.keys())
      process.stdout.write(`docs/surface/${file}${changed.includes(file) ? ' (changed)' : ''}\n`)
  }
} catch (error) {
  fail(error)
}

/** The doors of package.json, by name, with their declarations. */
function doors() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.entries(exports)
    .filter(([, target]) => typeof target === 'object')
    .map(([path, { types }]) => {
      if (!existsSync(join(root, types))) throw new Error(`package.json opens ${path}, but ${types} is not built`)
      return { name: path === '.' ? 'root' : path.slice(2).replaceAll('/', '-'), types: join(root, types) }
    })
}

function page(name, types) {
  const { exported, reached } = surface(types)
  const block = (declarations) => declarations.map(({ text }) => text).join('\n\n')
  const inner = reached.length ? `\n\n// not exported, but seen through what is\n\n${block(reached)}` : ''
  return `// ${name}: ${exported.length} exports\n\n${block(exported)}${inner}\n`
}

function read(file) {
  return existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : undefined
}

/** The lines that only one side has: enough to see what moved. */
function difference(before, after) {
  const a = before.split('\n')
  const b = after.split('\n')
  const only = (lines, others, sign) =>
    lines.filter((line) => line && !others.includes(line)).map((line) => `${sign} ${line}`)
  return [...only(a, b, '-'), ...only(b, a, '+')]
}
