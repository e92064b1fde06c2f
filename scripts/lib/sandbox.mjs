// A folder outside the repository where a snippet runs as a reader would run it.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { node, root, run } from './run.mjs'

export function sandbox() {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-docs-'))
  const bin = join(folder, '.bin')
  mkdirSync(join(folder, 'node_modules'))
  mkdirSync(bin)
  symlinkSync(root, join(folder, 'node_modules', 'throughline'), 'junction')
  command(bin, 'throughline', `exec "${process.execPath}" "${join(root, 'dist', 'doors', 'cli.js')}" "$@"`)
  command(
    bin,
    'npx',
    '[ "$1" = -y ] && shift\n[ "$1" = throughline ] || { echo "only npx throughline is run here" >&2; exit 127; }\nexec "$@"',
  )
  const env = {
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    TZ: 'UTC',
    COLUMNS: '100',
  }

  return {
    folder,
    async run({ lang, body, name = 'snippet' }) {
      if (lang === 'sh') return run('sh', ['-e', '-c', body], { cwd: folder, env })
      const file = join(folder, `${name}.mjs`)
      writeFileSync(file, await script(lang, body))
      return node([file], { cwd: folder, env })
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export async function script(lang, body) {
  const { transform } = await import('esbuild')
  const { code } = await transform(body, { loader: lang, format: 'esm', target: 'node20' })
  return code
}

function command(bin, name, body) {
  writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`)
  chmodSync(join(bin, name), 0o755)
}
