import { expect, test } from 'vitest'
import { decode } from '../../../test/laws/decode.js'
import type { Item } from '../message/item.js'
import { text } from '../message/item.js'
import type { Style, Window } from '../message/window.js'
import { render } from './render.js'

export const style: Style = { think: 'drop', section: 'emoji', escape: true }
export const textTargets = ['text-tagged', 'text-numbered'] as const

export const say = (role: 'user' | 'assistant', value: string): Item => ({
  role,
  parts: [text(value)],
  at: '2026-01-02T03:04:05Z',
})

export const around = (value: string, escaped = true): Window => ({
  items: [
    say('user', 'first'),
    say('assistant', value),
    say('user', value),
    say('assistant', 'last'),
    say('user', 'now'),
  ],
  hasCurrent: true,
  style: { ...style, escape: escaped },
})

/** So many characters of what has to be escaped. */
export function comesBack(length: number): void {
  test.each(['\n', ' ', '\nHuman', '\n \u200b', 'human: ', '&', '<', '\u2028Human:', '[Gap:', '\r\n'])(
    `${length} characters of %j are escaped and come back whole`,
    (atom) => {
      const said = `${atom.repeat(length / atom.length)}x`
      for (const target of textTargets) {
        const texts = decode(target, render(around(said), target))?.messages.map((message) => message.text)
        expect(texts?.some((text) => text === said)).toBe(true)
      }
    },
  )
}
