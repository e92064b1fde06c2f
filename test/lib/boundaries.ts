import { posix } from 'node:path'
import { blank, literal } from './scan.js'
import { isFixture, isTest, type Tree } from './tree.js'

const below = {
  store: ['core'],
  recall: ['core', 'store'],
  engine: ['core', 'store', 'recall'],
  models: ['core', 'store', 'recall', 'engine'],
  runs: ['core', 'store', 'recall', 'engine', 'models'],
  tasks: ['core', 'store', 'recall', 'engine', 'models', 'runs', 'recipes'],
  operations: ['core', 'config', 'store', 'recall', 'engine', 'models', 'runs', 'tasks', 'transfer', 'recipes'],
  surfaces: ['core', 'config', 'store', 'recall', 'engine', 'models', 'runs', 'tasks', 'transfer', 'operations'],
}

/** Which rooms a room may import. The root door is the room `index`. */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  index: ['core'],
  core: [],
  store: below.store,
  recall: below.recall,
  engine: below.engine,
  models: below.models,
  runs: below.runs,
  tasks: below.tasks,
  config: ['core'],
  adapters: ['core', 'store', 'engine'],
  transfer: ['core', 'store', 'engine'],
  operations: below.operations,
  http: [...below.surfaces, 'adapters'],
  mcp: below.surfaces,
  cli: [...below.surfaces, 'adapters', 'http', 'mcp'],
  client: ['core'],
  recipes: ['core'],
  testing: ['core', 'store', 'models'],
}

/** Packages that core may import; the tokenizer only on demand, because its tables are large. */
const corePackages: { readonly always: readonly string[]; readonly onDemand: readonly string[] } = {
  always: [],
  onDemand: ['gpt-tokenizer'],
}

/** What would let time, chance or the outside world into core. */
const outside: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Date.now', /\bDate\s*\.\s*now\b/],
  ['new Date()', /\bnew\s+Date\b(\s*\(\s*\)|(?!\s*\())/],
  ['Date()', /(?<!\bnew\s+)(?<![.\w])Date\s*\(/],
  ['Math.random', /\bMath\s*\.\s*random\b/],
  ['crypto randomness', /\b(randomUUID|getRandomValues)\b/],
  ['performance', /(?<![.\w])performance\s*[.[?]/],
  ['process', /(?<![.\w])process\s*[.[?]/],
  ['console', /(?<![.\w])console\s*[.[?]/],
  ['a timer', /(?<![.\w])(setTimeout|setInterval|setImmediate)\s*\(/],
  ['fetch', /(?<![.\w])fetch\s*\(/],
]

/** Every broken boundary of a tree of sources, as sentences. `doors` are the sources behind the package's exports. */
export function violations(tree: Tree, doors: readonly string[]): string[] {
  return Object.entries(tree).flatMap(([path, source]) => {
    const code = blank(source)
    const found = [
      ...imports(source, code).flatMap((found) => crossing(path, found)),
      ...(roomOf(path) === 'core' ? outside.filter(([, use]) => use.test(code)).map(([name]) => `uses ${name}`) : []),
      ...(doors.includes(path) ? doorFaults(code) : []),
    ]
    return found.map((fault) => `${path} ${fault}`)
  })
}

interface Import {
  readonly specifier: string
  readonly kind: 'static' | 'dynamic' | 'type'
}

/** The imports and re-exports of a source. */
export function imports(source: string, code = blank(source)): Import[] {
  const from = [...code.matchAll(/\b(?:import|export)\b([^'"`;]*?)\bfrom\s*(?=['"])/g)].map((match) => {
    // a statement before may be part of the match: the last keyword is the one that belongs to `from`
    const clause = match[0].split(/\b(?:import|export)\b/).at(-1) ?? ''
    return { at: match.index + match[0].length, kind: /^\s*type\b/.test(clause) ? 'type' : 'static' } as const
  })
  const bare = [...code.matchAll(/\bimport\s*(?=['"])/g)].map((match) => {
    return { at: match.index + match[0].length, kind: 'static' } as const
  })
  const dynamic = [...code.matchAll(/\bimport\s*\(\s*(?=['"`])/g)].map((match) => {
    return { at: match.index + match[0].length, kind: 'dynamic' } as const
  })
  return [...from, ...bare, ...dynamic].map(({ at, kind }) => ({ specifier: literal(source, at), kind }))
}

function crossing(path: string, { specifier, kind }: Import): string[] {
  const room = roomOf(path)
  if (!specifier.startsWith('.')) return room === 'core' ? foreign(specifier, kind) : []
  const target = posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts')
  const other = roomOf(target)
  if (!target.startsWith('src/')) return [`imports ${specifier}, which is outside src/`]
  if (isTest(target) || isFixture(target)) return [`imports ${specifier}, what only tests may`]
  if (target === `src/${room}/index.ts`) return [`imports its own room through ${specifier}`]
  if (room === other) return []
  if (!(room in arrows)) return [`is in ${room}, which is not a room`]
  return arrows[room]?.includes(other) ? [] : [`imports ${other}, which ${room} may not`]
}

function foreign(specifier: string, kind: Import['kind']): string[] {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  if (corePackages.always.includes(name)) return []
  if (corePackages.onDemand.includes(name)) return kind === 'static' ? [`imports ${name} at once, not on demand`] : []
  return [`imports ${specifier}, which core may not`]
}

function doorFaults(code: string): string[] {
  return [
    ...(/\bexport\s+(type\s+)?\*/.test(code) ? ['is a door with `export *`'] : []),
    ...(/\bexport\s+default\b|\bas\s+default\b/.test(code) ? ['is a door with a default export'] : []),
  ]
}

/** `src/core/window/fit.ts` is in `core`, `src/index.ts` in `index`. */
function roomOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '')
}
