import fc from 'fast-check'
import { test } from 'vitest'
import * as laws from './laws.js'
import { cases, isGood, named, trialsOf } from './trial.js'

const all = {
  withinBudget: laws.withinBudget,
  withinLimits: laws.withinLimits,
  newestUser: laws.newestUser,
  inOrder: laws.inOrder,
  paired: laws.paired,
  wellFormedStrings: laws.wellFormedStrings,
  cleanCuts: laws.cleanCuts,
  legal: laws.legal,
  accounted: laws.accounted,
  honestMarkers: laws.honestMarkers,
  pinned: laws.pinned,
  noDuplicates: laws.noDuplicates,
  noPrivilege: laws.noPrivilege,
  capped: laws.capped,
}
test('sweep', () => {
  const found = new Map<string, { n: number; size: number; who: string; what: string; input: string }>()
  const samples = fc.sample(cases, { numRuns: 400, seed: Number(process.env.SEED ?? 5) })
  for (const one of samples)
    for (const trial of trialsOf(one)) {
      if (!isGood(trial)) continue
      for (const [law, check] of Object.entries(all))
        for (const what of check(trial as never)) {
          const t = trial as unknown as { policy: { name: string } | string; target: string }
          const key =
            law +
            ' | ' +
            what
              .replace(/\d+/g, '#')
              .replace(/⟦[^⟧]*⟧/g, '@')
              .slice(0, 90)
          const input = JSON.stringify((one as any).history.messages)
          const e = found.get(key)
          if (!e || input.length < e.size)
            found.set(key, {
              n: (e?.n ?? 0) + 1,
              size: input.length,
              who: named(trial as never),
              what,
              input:
                JSON.stringify({
                  i: (trial as any).result.items.map((x: any) => [
                    x.index,
                    x.role,
                    x.fate,
                    x.rule,
                    x.tokens,
                    x.text.slice(0, 40),
                  ]),
                  l: (trial as any).result.receipt.lines.map((x: any) => [
                    x.from,
                    x.to,
                    x.fate,
                    x.stage,
                    x.rule,
                    x.tokens,
                  ]),
                  b: (trial as any).result.receipt.budget,
                  g: (trial as any).result.receipt.gaps,
                  m: (trial as any).result.receipt.mended,
                }) + JSON.stringify(one).slice(0, 900),
            })
          else e.n++
          void t
        }
    }
  for (const [k, v] of [...found].sort((a, b) => b[1].n - a[1].n).slice(0, 40))
    console.log(
      v.n,
      k,
      '\n    ',
      v.who,
      '\n    ',
      v.what.slice(0, 200),
      '\n    ',
      v.input
        .replace(/x{20,}/g, 'X~')
        .replace(/y{20,}/g, 'Y~')
        .slice(0, 500),
    )
}, 300000)
