/**
 * How far the estimates are from the tokenizers at hand: node scripts/calibrate.mjs [file ...], after a build.
 * Prints, per family and text, the least and the mean of estimate / true count over pieces of the text.
 * A least below 1 is a fault in src/core/tokens/weights.ts.
 */
import { readFileSync } from 'node:fs'
import { Tokenizer } from 'ai-tokenizer'
import * as claudeTable from 'ai-tokenizer/encoding/claude'
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { estimator } from '../dist/core/tokens/estimate.js'

const asText = { disallowedSpecial: new Set() }
const claude = new Tokenizer(claudeTable)
const truth = {
  o200k: (text) => o200k(text, asText),
  cl100k: (text) => cl100k(text, asText),
  claude: (text) => claude.encode(text, [], []).length,
}

let state = 1
const dice = (sides) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * sides)
}
const noise = (from, to, gap = 0) =>
  Array.from({ length: 20_000 }, () =>
    gap && dice(gap) === 0 ? ' ' : String.fromCodePoint(from + dice(to - from)),
  ).join('')
const base64 = Buffer.from(Array.from({ length: 15_000 }, () => dice(256))).toString('base64')

const texts = {
  'random base64': base64,
  'random hex': Buffer.from(base64).toString('hex').slice(0, 20_000),
  'random letters': noise(97, 123, 6),
  'random ASCII': noise(0, 128),
  'Latin letters': noise(0xc0, 0x250, 6),
  Greek: noise(0x391, 0x3ca, 6),
  Cyrillic: noise(0x410, 0x450, 6),
  Hebrew: noise(0x5d0, 0x5eb, 6),
  Arabic: noise(0x620, 0x64b, 6),
  Indic: noise(0x900, 0xe00, 6),
  Thai: noise(0xe01, 0xe5c),
  Kana: noise(0x3041, 0x30ff),
  Han: noise(0x4e00, 0xa000),
  Hangul: noise(0xac00, 0xd7a4, 6),
  emoji: noise(0x1f300, 0x1f650),
  'rare scripts': noise(0x10000, 0x1f000),
}
for (const file of process.argv.slice(2)) texts[file] = readFileSync(file, 'utf8')

const table = {}
for (const [name, text] of Object.entries(texts)) {
  table[name] = {}
  for (const [family, count] of Object.entries(truth))
    table[name][family] = ratios(text, estimator(family).count, count)
}
console.table(table)

function ratios(text, estimate, count) {
  let least = Number.POSITIVE_INFINITY
  let said = 0
  let real = 0
  for (let i = 0; i < 200; i++) {
    const from = dice(Math.max(1, text.length - 20))
    const piece = text.slice(from, from + 1 + dice(600)).toWellFormed()
    const [high, low] = [estimate(piece), count(piece)]
    if (low === 0) continue
    least = Math.min(least, high / low)
    said += high
    real += low
  }
  return `${least.toFixed(2)} / ${(said / real).toFixed(2)}`
}
