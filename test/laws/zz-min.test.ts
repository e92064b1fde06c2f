import fc from 'fast-check'
import { test } from 'vitest'
import { assemble, presets, targets } from '../../src/index.js'
import * as laws from './laws.js'
import { cases, type Good, isGood, named, presetNames, trialOf } from './trial.js'

const brief = (v: unknown): string =>
  JSON.stringify(v, (_, x) =>
    typeof x === 'string' && x.length > 60
      ? x.replace(/(.)\1{9,}/gu, (m, c) => `{${c}×${m.length}}`).slice(0, 160) +
        (x.length > 300 ? `…(${x.length})` : '')
      : x,
  )
test('min', () => {
  for (const spec of (process.env.SPECS ?? '').split(';;')) {
    const [law, preset, pattern, target] = spec.split('|') as [string, string, string, string]
    const re = new RegExp(pattern ?? '')
    const fn = (laws as any)[law] as laws.Law
    let last: { trial: Good; found: string[] } | null = null
    const r = fc.check(
      fc.property(cases, fc.constantFrom(...targets), (one, t) => {
        const trial = trialOf(one, preset as any, (target || t) as any)
        if (!isGood(trial)) return true
        const found = fn(trial).filter((x) => re.test(x))
        if (found.length) {
          last = { trial, found }
          return false
        }
        return true
      }),
      { numRuns: Number(process.env.N ?? 3000), seed: Number(process.env.SEED ?? 5), interruptAfterTimeLimit: 25000 },
    )
    console.log('=====', spec, r.numRuns, r.numShrinks)
    if (last) {
      const { trial, found } = last as { trial: Good; found: string[] }
      console.log(
        named(trial),
        '\nFOUND',
        found.slice(0, 3).join('\n      ').slice(0, 400),
        '\nINPUT',
        brief(trial.input).slice(0, 1500),
      )
      console.log(
        trial.result.items
          .map(
            (x) =>
              '   ' +
              [
                x.index,
                x.role,
                x.fate,
                x.rule,
                brief(x.text).slice(0, 120),
                x.text.length,
                x.tokens,
                x.parts.map((p) => p.type),
              ].join(' | '),
          )
          .join('\n'),
      )
      console.log(
        trial.result.receipt.lines
          .map((l) => `   ${l.from}-${l.to} ${l.fate} ${l.stage} ${l.rule} ${l.tokens} restore ${l.restore}`)
          .join('\n'),
      )
      console.log(
        brief(trial.result.receipt.budget),
        brief(trial.result.receipt.gaps),
        brief(trial.result.receipt.mended),
        brief(trial.result.receipt.warnings),
      )
      console.log('WIRE', brief(trial.result.rendered).slice(0, 800))
    } else console.log('none')
  }
}, 600000)
void presetNames
void presets
void assemble
