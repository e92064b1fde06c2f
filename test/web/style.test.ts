import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../web')
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:css|tsx?)$/.test(path) && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(root, path), 'utf8'))

/** What is used without a fallback, and set nowhere: a browser draws that in black, or not at all. */
function unset(sources: readonly string[]): string[] {
  const set = new Set(sources.flatMap((text) => [...text.matchAll(/(--[\w-]+)['"\]]*\s*:/g)].map(([, name]) => name)))
  const used = sources.flatMap((text) => [...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name as string))
  return [...new Set(used)].filter((name) => !set.has(name))
}

test('every colour and size that the styles use is set somewhere', () => {
  expect(sources.length).toBeGreaterThan(100)
  expect(unset(sources)).toEqual([])
})

test('one that is set nowhere is found', () => {
  expect(unset(['a { --ink: red; color: var(--ink) }', 'b { fill: var(--fate); top: var(--top, 1px) }'])).toEqual([
    '--fate',
  ])
})
