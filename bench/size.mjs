// The bytes of the root door, as `npm run size` has them.
import { join } from 'node:path'
import { node, root } from '../scripts/lib/run.mjs'

export async function size({ say }) {
  say('  size: bundling the root door')
  const found = await node([join(root, 'scripts', 'size.mjs')]).then(
    ({ stdout }) => ({ ok: true, line: stdout.trim() }),
    (error) => ({ ok: false, line: lastLine(error.output) ?? error.message }),
  )
  const bar = 'root door under 60 KB minified and gzipped, no Node built-ins'
  return { line: found.line, bars: [{ bar, ok: found.ok, figure: found.line }] }
}

const lastLine = (text = '') => text.trim().split('\n').at(-1) || undefined

export const sizeTables = ({ line }) => [`Size\n\n${line}\n`]
