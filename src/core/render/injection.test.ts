import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DecodedText, decode } from '../../../test/laws/decode.js'
import { runs } from '../../../test/runs.js'
import { wellFormed } from '../message/text.js'
import type { Window } from '../message/window.js'
import { check } from '../rules/check.js'
import { damagedWindow, freeze, wild } from '../window/mend/damage.fixture.js'
import { mend } from '../window/mend/mend.js'
import { plainText } from '../window/mend/plain.js'
import { blockOf, frameOf, type TextTarget } from './block.js'
import { currentItem } from './frame.js'
import { around, comesBack, say, style, textTargets } from './injection.fixture.js'
import { payloads } from './payloads.fixture.js'
import { render } from './render.js'
import { clockOf, speakerOf } from './text-numbered.js'

/** What a window says, by its items and not by its text. */
function meaning(window: Window, target: TextTarget): DecodedText {
  const mended = mend(window, target)
  const current = target === 'text-tagged' ? currentItem(mended, window) : undefined
  const history = current ? mended.items.slice(0, -1) : mended.items
  const messages = history.map((item) => {
    const said = plainText(item, window.style.think)
    if (item.mark) return { speaker: 'gap' as const, text: said }
    if (target === 'text-tagged') return { speaker: item.role === 'user' ? 'user' : 'assistant', text: said } as const
    return { speaker: speakerOf(item), text: said, time: clockOf(item.at), truncated: item.clipped === true }
  })
  return current ? { messages, current: plainText(current, window.style.think) } : { messages }
}

/** True when the rendering says what the window says, to a decoder and to a reader of lines. */
function holds(window: Window, target: TextTarget): boolean {
  const written = render(window, target)
  const meant = meaning(window, target)
  if (JSON.stringify(decode(target, written)) !== JSON.stringify(meant)) return false
  if (meant.messages.length === 0) return true
  return structure(written, target, meant.current) === meant.messages.length
}

/** Counts what looks like the beginning of a message, to a reader who ends lines anywhere. */
function structure(written: string, target: TextTarget, current = ''): number {
  const frame = frameOf(target, style)
  const history = written.slice(0, written.length - current.length)
  const lines = history.split(/\r\n|[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]/)
  if (target === 'text-numbered') return lines.filter((line) => /^(?:\[\d+\]|\()/.test(line)).length
  const tags = history.match(/<\s*\/?\s*conversation_history/gi)?.length
  if (tags !== 2 || !history.startsWith(frame.open)) return -1
  return lines.filter((line) => /^[\s\p{Cf}]*(?:human|assistant|\[gap)[\s\p{Cf}]*:/iu.test(line)).length
}

describe.each(textTargets)('%s', (target) => {
  test('content can not close the history block nor forge a message [X-1] [X-2] [X-3] [X-4] [T-64] [T-65] [T-66]', () => {
    expect(payloads.length).toBeGreaterThanOrEqual(500)
    for (const payload of payloads) expect(holds(around(payload), target), JSON.stringify(payload)).toBe(true)
  })

  test('the checker finds the forgeries of a renderer that does not escape [X-3] [X-4]', () => {
    const forged = payloads.filter((payload) => !holds(around(payload, false), target))
    expect(forged.length).toBeGreaterThan(100)
  })

  test('any mixture of payloads and wild text decodes to what was said [X-1] [X-2] [T-51]', () => {
    const content = fc
      .array(fc.oneof(fc.constantFrom(...payloads), wild), { minLength: 1, maxLength: 5 })
      .map((all) => all.join(''))
    fc.assert(
      fc.property(content, (value) => holds(around(value), target)),
      { numRuns: 6 * runs },
    )
  })

  test('any damaged window decodes to what it says [X-2] [X-5] [X-6] [T-66]', () => {
    fc.assert(
      fc.property(damagedWindow.map(freeze), (window) => holds(window, target)),
      { numRuns: 6 * runs },
    )
  })

  test('no two contents render alike [X-1]', () => {
    const written = payloads.map((payload) => render(around(payload), target))
    expect(new Set(written).size).toBe(payloads.length)
  })

  test('one more message extends what was written before [X-7]', () => {
    for (const payload of payloads) {
      const { items } = around(payload)
      const shown = (count: number) => {
        const blocks = items.slice(0, count).map((item, i) => blockOf(item, target, style, i + 1))
        return frameOf(target, style).open + blocks.join(frameOf(target, style).between)
      }
      const whole = render({ items, hasCurrent: false, style }, target)
      for (let count = 1; count <= items.length; count++) expect(whole.startsWith(shown(count))).toBe(true)
    }
  })

  test('content clipped anywhere still renders to what is left of it [X-8]', () => {
    for (const payload of payloads.slice(0, 80)) {
      for (let end = 1; end <= payload.length; end++) {
        expect(holds(around(`x${wellFormed(payload.slice(0, end))}`), target)).toBe(true)
      }
    }
  })

  test('the blocks and the frame of a window add up to its rendering', () => {
    fc.assert(
      fc.property(damagedWindow.map(freeze), (window) => {
        const { items } = mend({ ...window, hasCurrent: false }, target)
        if (items.length === 0) return
        const frame = frameOf(target, window.style)
        let messages = 0
        const blocks = items.map((item) => blockOf(item, target, window.style, item.mark ? messages : ++messages))
        const clipped = items.filter((item) => item.clipped && !item.mark).length
        const whole = frame.open + blocks.join(frame.between) + frame.close(messages, clipped)
        expect(render({ ...window, hasCurrent: false }, target)).toBe(whole)
      }),
      { numRuns: 2 * runs },
    )
  })

  test('prompts with payloads keep the written-down rules of the target [X-8]', () => {
    for (const payload of payloads) expect(check(target, render(around(payload), target))).toEqual([])
  })
})

test('times that are no times stay one harmless field of the header [X-5]', () => {
  fc.assert(
    fc.property(fc.oneof(wild, fc.constantFrom(...payloads)), (at) => {
      expect(clockOf(at)).toMatch(/^[^()\p{Cc}\p{Zl}\p{Zp}]{1,40}$/u)
    }),
  )
})

test('a message that imitates a prompt is not taken for history [X-1] [T-64]', () => {
  const alone = (value: string): Window => ({ items: [say('user', value)], hasCurrent: true, style })
  const forged = render(around('x'), 'text-tagged')
  expect(decode('text-tagged', render(alone(forged), 'text-tagged'))).toEqual({ messages: [], current: forged })
  expect(render(alone('hello'), 'text-tagged')).toBe('hello')
})

comesBack(100_000)
