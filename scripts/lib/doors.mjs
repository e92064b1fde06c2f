// The doors as they are shipped: bundled from the compiled files with everything they need but zod, so that an install
// fetches one package and an import opens a handful of files. Shared code stays shared: all doors are one build.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'

/** Packages that stay outside: the types of a door name them, or the caller's own copy must be the one that is used. */
const outside = [
  'zod',
  '@photostructure/sqlite',
  '@langchain/*',
  '@anthropic-ai/*',
  'ai',
  'sharp',
  'pg-native',
  'cloudflare:*',
]

export async function bundleDoors(dist, manifest, root) {
  const { build } = await import('esbuild')
  const entries = entriesOf(manifest)
  const { metafile } = await build({
    absWorkingDir: root,
    nodePaths: [join(root, 'node_modules')],
    entryPoints: Object.fromEntries(entries.map(({ name, source }) => [name, join(dist, source)])),
    chunkNames: '[name]-[hash]',
    outdir: join(dist, 'doors'),
    bundle: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    charset: 'utf8',
    platform: 'node',
    target: 'node20.19',
    external: outside,
    plugins: [asNode(), placed(dist)],
    logLevel: 'silent',
  })
  await joinCore(join(dist, 'doors'), build)
  writeFileSync(join(dist, 'doors', 'LICENSES.txt'), licensesOf(Object.keys(metafile.inputs), root))
  dropUnreached(dist, manifest)
}

/** `./dist/doors/engine.js` with the types `./dist/engine/index.d.ts` is made of `engine/index.js`. */
function entriesOf({ exports: doors }) {
  const found = Object.values(doors).filter((door) => door.types)
  return [
    { name: 'cli', source: 'cli/main.js' },
    ...found.map(({ types, default: file }) => ({
      name: file.slice('./dist/doors/'.length, -'.js'.length),
      source: types.slice('./dist/'.length).replace(/\.d\.ts$/, '.js'),
    })),
  ]
}

/**
 * What the root and the engine share comes as some twenty files, because each is split by who else needs it, and opening them costs a
 * third of the import: they become one. What the light doors open stays as it is.
 */
async function joinCore(doors, build) {
  const opened = (names) => names.reduce((seen, name) => reachedFrom(doors, name, seen), new Set())
  const [root, engine, light] = [['index.js'], ['engine.js'], ['cli.js', 'client.js', 'sqlite.js', 'recall.js']].map(
    opened,
  )
  const parts = [...root].filter((name) => name !== 'index.js' && engine.has(name) && !light.has(name))
  const named = new Map(parts.map((name, k) => [name, (word) => `${word}$${k}`]))
  const contents = parts.map((name) => {
    const list = /^export \{([^}]*)\};?\s*$/m.exec(readFileSync(join(doors, name), 'utf8'))?.[1] ?? ''
    const words = list.split(',').map((one) => one.trim().split(' as ').at(-1))
    return `export { ${words.filter(Boolean).map((word) => `${word} as ${named.get(name)(word)}`)} } from './${name}'`
  })
  const others = {
    name: 'others',
    setup: ({ onResolve }) =>
      onResolve({ filter: /.*/ }, ({ path, kind }) =>
        kind === 'entry-point' || named.has(path.slice(2)) ? undefined : { path, external: true, sideEffects: false },
      ),
  }
  const stdin = { contents: contents.join('\n'), resolveDir: doors }
  const shared = {
    bundle: true,
    format: 'esm',
    charset: 'utf8',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'silent',
  }
  await build({ ...shared, stdin, outfile: join(doors, 'core.js'), plugins: [others] })
  for (const name of parts) rmSync(join(doors, name))
  for (const name of readdirSync(doors).filter((name) => name.endsWith('.js') && name !== 'core.js')) {
    const text = readFileSync(join(doors, name), 'utf8')
    const changed = text.replaceAll(imported, (whole, list, from) => {
      if (!named.has(from)) return whole
      const words = (list ?? '').split(',').flatMap((one) => one.trim() || [])
      const pairs = words
        .map((one) => one.split(' as '))
        .map(([word, as = word]) => `${named.get(from)(word)} as ${as}`)
      return pairs.length === 0 ? '' : `import { ${pairs.join(', ')} } from "./core.js"`
    })
    const lost = parts.find((part) => changed.includes(part))
    if (lost) throw new Error(`${name} still asks for ${lost}, which is in core.js`)
    if (changed !== text) writeFileSync(join(doors, name), changed)
  }
}

const imported = /^import (?:\{([^}]*)\} from )?"\.\/([^"]+)"/gm

/** The files that a file opens at once. */
function reachedFrom(doors, name, seen) {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const [, , next] of readFileSync(join(doors, name), 'utf8').matchAll(imported)) reachedFrom(doors, next, seen)
  return seen
}

/** What CommonJS packages require of Node, in a module that has no `require`. */
const asNode = () => ({
  name: 'builtins',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
})

/** A file that looks for its neighbours keeps its own address, wherever its code ends up. */
const placed = (dist) => ({
  name: 'addresses',
  setup(build) {
    build.onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!path.startsWith(dist)) return undefined
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const from = (file) =>
        relative(join(dist, 'doors'), file).replaceAll('\\', '/') + (/[\\/]$/.test(file) ? '/' : '')
      const beside = (_, file) => `new URL('${from(join(dirname(path), file))}', import.meta.url)`
      const contents = text
        .replaceAll(/new URL\('([^']+)', import\.meta\.url\)/g, beside)
        .replaceAll(/(?<!', )import\.meta\.url/g, `new URL('${from(path)}', import.meta.url).href`)
      return { contents }
    })
  },
})

/** Declarations that no door leads to describe packages that are not installed: they are not shipped. */
function dropUnreached(dist, { exports: doors }) {
  const reached = new Set()
  const visit = (file) => {
    if (reached.has(file) || !existsSync(file)) return
    reached.add(file)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*['"](\.[^'"\n]+)\.js['"]/g))
      visit(resolve(dirname(file), `${path}.d.ts`))
  }
  for (const { types } of Object.values(doors)) if (types) visit(join(dist, types.slice('./dist/'.length)))
  for (const name of readdirSync(dist, { recursive: true })) {
    const file = join(dist, name)
    if (name.endsWith('.d.ts') && !reached.has(file)) rmSync(file)
  }
}

/** The licenses of everything that was bundled, as they ask. */
function licensesOf(inputs, root) {
  const packages = new Set(
    inputs.flatMap((path) => /(?:^|.*\/)node_modules\/(?!\.)(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  )
  return [...packages]
    .sort()
    .map((path) => {
      const folder = resolve(root, path)
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file))
      const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
      return [`${name} ${version} (${license})`, ...texts].join('\n\n')
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
}
