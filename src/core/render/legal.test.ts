import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { targets } from '../message/target.js'
import type { Window } from '../message/window.js'
import { check } from '../rules/check.js'
import { damagedWindow, freeze } from '../window/mend/damage.fixture.js'
import { mend } from '../window/mend/mend.js'
import { render } from './render.js'

const often = { numRuns: 3 * runs }
const chats = ['openai-chat', 'openai-responses', 'anthropic', 'google', 'ai-sdk'] as const

describe.each(chats)('%s', (target) => {
  test('any damaged window renders to a request that the provider takes [P-05] [P-07] [T-01] [T-16] [T-17] [T-21]', () => {
    fc.assert(
      fc.property(damagedWindow.map(freeze), (window) => {
        expect(check(target, render(window, target))).toEqual([])
      }),
      often,
    )
  })

  test('every suffix of a tool-heavy history is legal [T-01] [T-12]', () => {
    fc.assert(
      fc.property(damagedWindow.map(freeze), (window) => {
        for (let start = 0; start < window.items.length; start++) {
          const cut: Window = { ...window, items: window.items.slice(start) }
          expect(check(target, render(cut, target))).toEqual([])
        }
      }),
      { numRuns: Math.ceil(0.6 * runs) },
    )
  })

  test('a mended window needs no more mending [T-18]', () => {
    fc.assert(
      fc.property(damagedWindow.map(freeze), (window) => {
        const { items, system } = mend(window, target)
        const again = mend({ ...window, items }, target)
        expect(again.items).toEqual(items)
        expect(again.system.length).toBeLessThanOrEqual(system.length)
      }),
      often,
    )
  })
})

test.each(targets)('%s: the same window gives the same bytes', (target) => {
  fc.assert(
    fc.property(damagedWindow.map(freeze), (window) => {
      expect(JSON.stringify(render(window, target))).toBe(JSON.stringify(render(structuredClone(window), target)))
    }),
    { numRuns: runs },
  )
})

test('plain messages are legal whenever something is left to say', () => {
  fc.assert(
    fc.property(damagedWindow.map(freeze), (window) => {
      const request = render(window, 'messages')
      if (request.messages.length > 0) expect(check('messages', request)).toEqual([])
    }),
    often,
  )
})
