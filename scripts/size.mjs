// Bytes of the doors that a browser opens: bundled, minified, gzipped, tokenizer tables left out.

import { isBuiltin } from 'node:module'
import { gzipSync } from 'node:zlib'
import { prepare } from './lib/prepare.mjs'
import { fail, root } from './lib/run.mjs'

const doors = [
  { name: 'root door', entry: 'dist/index.js', limit: 92 * 1024 },
  { name: 'client', entry: 'dist/client/index.js', limit: 6 * 1024 },
]

try {
  await prepare()
  for (const door of doors) await measure(door)
} catch (error) {
  fail(error)
}

async function measure({ name, entry, limit }) {
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: 'out',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external: ['gpt-tokenizer', 'gpt-tokenizer/*', 'node:*'],
    logLevel: 'silent',
  })

  const builtins = Object.entries(metafile.inputs).flatMap(([path, input]) =>
    input.imports.filter((found) => isBuiltin(found.path)).map((found) => `${path} imports ${found.path}`),
  )
  if (builtins.length) throw new Error(`The ${name} reaches Node built-ins:\n  ${builtins.join('\n  ')}`)

  const loaded = atOnce(metafile.outputs, 'out/index.js')
  const sizes = outputFiles
    .filter((file) => loaded.has(file.path.slice(root.length + 1).replaceAll('\\', '/')))
    .map((file) => ({ raw: file.contents.length, gzip: gzipSync(file.contents, { level: 9 }).length }))
  const raw = sizes.reduce((sum, size) => sum + size.raw, 0)
  const gzip = sizes.reduce((sum, size) => sum + size.gzip, 0)

  process.stdout.write(`${name}: ${kb(gzip)} gzipped, ${kb(raw)} minified (limit ${kb(limit)})\n`)
  if (gzip > limit) throw new Error(`The ${name} is ${kb(gzip - limit)} over its limit`)
}

/** The entry and the chunks it imports statically; chunks loaded on demand are not counted. */
function atOnce(outputs, path, seen = new Set()) {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const found of outputs[path].imports) {
    if (found.kind === 'import-statement' && !found.external) atOnce(outputs, found.path, seen)
  }
  return seen
}

function kb(bytes) {
  return `${(bytes / 1024).toFixed(1)} KB`
}
