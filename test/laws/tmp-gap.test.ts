import fc from 'fast-check'
import { test } from 'vitest'
import * as laws from './laws.js'
import { cases, isGood, named, trialsOf } from './trial.js'

test('gap', () => {
  let best: any
  for (let seed = 100; seed < 109; seed++)
    for (const one of fc.sample(cases, { numRuns: 400, seed }))
      for (const trial of trialsOf(one)) {
        if (!isGood(trial)) continue
        for (const law of [
          laws.honestMarkers,
          laws.pinned,
          laws.withinBudget,
          laws.accounted,
          laws.legal,
          laws.cleanCuts,
          laws.newestUser,
          laws.withinLimits,
          laws.inOrder,
          laws.paired,
          laws.wellFormedStrings,
          laws.noDuplicates,
          laws.noPrivilege,
          laws.capped,
        ])
          for (const what of law(trial as never)) {
            const size = JSON.stringify((one as any).history.messages).length
            console.log(named(trial as never), what.slice(0, 160), size)
            if (/marker at/.test(what) && (!best || size < best.size))
              best = {
                size,
                text:
                  JSON.stringify({
                    i: (trial as any).result.items.map((x: any) => [
                      x.index,
                      x.role,
                      x.fate,
                      x.rule,
                      x.tokens,
                      x.text.slice(0, 30),
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
                  }) +
                  JSON.stringify(one)
                    .replace(/x{20,}/g, 'X~')
                    .replace(/y{20,}/g, 'Y~')
                    .slice(0, 1500),
              }
          }
      }
  console.log('BEST', best?.text)
}, 600000)
