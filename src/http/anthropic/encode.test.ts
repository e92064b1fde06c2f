import { expect, test } from 'vitest'
import type { RunEvent } from '../../runs/contract.js'
import { blockWriter } from './encode.js'

const run = 'run_1'
const write = (events: readonly RunEvent[]) => {
  const blocks = blockWriter()
  return events.flatMap((event) => [...blocks(event)].map(({ data }) => data))
}
const started = (id: string): RunEvent => ({ type: 'call-started', data: { run, id, name: 'look' } })
const spelled = (id: string, json: string): RunEvent => ({ type: 'call-delta', data: { run, id, json } })
const made = (id: string, input: unknown): RunEvent => ({ type: 'call-made', data: { run, id, name: 'look', input } })
const said = (text: string): RunEvent => ({ type: 'text-delta', data: { run, text } })

const shape = (frames: readonly unknown[]) =>
  (frames as { type: string; index: number; delta?: { partial_json?: string; text?: string } }[]).map(
    ({ type, index, delta }) =>
      `${type.replace('content_block_', '')} ${index} ${delta?.partial_json ?? delta?.text ?? ''}`,
  )

test('calls that are spelled at once are told one after the other, each whole', () => {
  const events = [started('a'), spelled('a', '{"x"'), started('b'), spelled('b', '{}'), spelled('a', ':1}')]
  const frames = write([...events, made('b', { y: 2 }), made('a', { x: 1 })])
  expect(shape(frames)).toEqual([
    'start 0 ',
    'delta 0 {"x"',
    'delta 0 :1}',
    'stop 0 ',
    'start 1 ',
    'delta 1 {"y":2}',
    'stop 1 ',
  ])
})

test('a call that was never spelled is told whole', () => {
  expect(shape(write([made('a', null)]))).toEqual(['start 0 ', 'delta 0 {}', 'stop 0 '])
  expect(shape(write([started('a'), made('a', { x: 1 })]))).toEqual(['start 0 ', 'delta 0 {"x":1}', 'stop 0 '])
})

test('white space becomes no block of its own, and is not lost from words', () => {
  expect(shape(write([said('\n\n'), made('a', {})]))).toEqual(['start 0 ', 'delta 0 {}', 'stop 0 '])
  expect(shape(write([said('\n\n'), said('So')]))).toEqual(['start 0 ', 'delta 0 \n\nSo'])
})

test('reasoning that is not shown is a sealed block', () => {
  const sealed: RunEvent = { type: 'think-sealed', data: { run, sealed: 'xyz' } }
  expect(write([sealed])).toEqual([
    { type: 'content_block_start', index: 0, content_block: { type: 'redacted_thinking', data: 'xyz' } },
    { type: 'content_block_stop', index: 0 },
  ])
})
