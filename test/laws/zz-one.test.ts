import fc from 'fast-check'
import { test } from 'vitest'
import * as laws from './laws.js'
import { cases, isGood, trialsOf } from './trial.js'

test('one', () => {
  const i = Number(process.env.CASE)
  const list = fc.sample(cases, { numRuns: i + 1, seed: Number(process.env.SEED ?? 1) })
  const one = list[i]!
  const trial = trialsOf(one).find((t) => t.preset === process.env.PRESET)!
  console.log(JSON.stringify(trial.input, null, 0).slice(0, 3000))
  if (!isGood(trial)) return console.log(trial.result)
  console.log(trial.target, trial.options)
  console.log(
    trial.result.items
      .map((x) =>
        [x.index, x.role, x.fate, x.rule, x.mark, x.text.slice(0, 50), x.text.length, x.tokens, x.parts.length].join(
          ' | ',
        ),
      )
      .join('\n'),
  )
  console.log(JSON.stringify(trial.result.receipt, null, 1).slice(0, 4500))
  console.log(JSON.stringify(trial.result.rendered).slice(0, 1500))
  for (const law of Object.values(laws))
    try {
      if (law.length === 1) {
        const v = (law as any)(trial)
        if (Array.isArray(v) && v.length && typeof v[0] === 'string') console.log((law as any).name, v.slice(0, 5))
      }
    } catch {}
})
