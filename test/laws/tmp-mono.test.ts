import fc from 'fast-check'
import { test } from 'vitest'
import { assemble } from '../../src/index.js'
import { cases } from './trial.js'

test('mono', () => {
  let shown = 0
  for (const one of fc.sample(cases, { numRuns: 500, seed: Number(process.env.SEED ?? 5) }) as any[]) {
    const input = { messages: one.history.messages, ...(one.current === undefined ? {} : { current: one.current }) }
    const all = assemble(input, 'balanced', { budget: Number.MAX_SAFE_INTEGER })
    if (!all.ok) continue
    const C = all.receipt.budget.used
    let wasOk = 0
    for (let b = 20; b < C + 5; b += Math.max(1, Math.floor(C / 60))) {
      const r = assemble(input, 'balanced', { budget: b })
      if (r.ok) {
        wasOk = b
        continue
      }
      if (wasOk > 0 && shown < 3) {
        shown++
        const before = assemble(input, 'balanced', { budget: wasOk }) as any
        console.log(
          'OK at',
          wasOk,
          'refused at',
          b,
          r.error.message,
          '\n',
          JSON.stringify(before.items.map((x: any) => [x.index, x.role, x.fate, x.rule, x.tokens])),
          JSON.stringify(before.receipt.mended),
          '\n',
          JSON.stringify(before.receipt.lines.map((x: any) => [x.from, x.to, x.fate, x.rule, x.tokens])),
          JSON.stringify(input)
            .replace(/x{20,}/g, 'X~')
            .replace(/y{20,}/g, 'Y~')
            .slice(0, 600),
        )
        break
      }
    }
  }
}, 300000)
