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
