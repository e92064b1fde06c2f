import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flowOf } from '../../web/markdown/flow.js'
import { sequenceOf } from '../../web/markdown/sequence.js'
import { runs } from '../runs.js'

const lines = (text: string): string[] => text.split('\n').map((line) => line.trim())

test('a flowchart has its boxes, shapes, labels and ways', () => {
  const flow = flowOf(
    lines(`flowchart TD
    A[Ask] --> B{Fits?}
    B -->|yes| C(Send whole)
    B -- no --> D[Cut]
    D -.-> C
    C ==> E((Done))`),
  )
  expect(flow?.boxes.map(({ id, lines, shape }) => [id, lines.join(' '), shape])).toEqual([
    ['A', 'Ask', 'box'],
    ['B', 'Fits?', 'diamond'],
    ['D', 'Cut', 'box'],
    ['C', 'Send whole', 'round'],
    ['E', 'Done', 'circle'],
  ])
  expect(flow?.edges.map(({ from, to, text, look }) => `${from}${to} ${text} ${look}`)).toEqual([
    'AB  plain',
    'BC yes plain',
    'BD no plain',
    'DC  dashed',
    'CE  thick',
  ])
})

test('a circle of ways ends, and every box has its own place', () => {
  const flow = flowOf(['graph LR', 'A --> B --> C --> A', 'A & B --> D'])
  const places = flow?.boxes.map(({ x, y }) => `${x} ${y}`)
  expect(new Set(places).size).toBe(4)
})

test('a sequence has its people and what they say, in order', () => {
  const sequence = sequenceOf(
    lines(`sequenceDiagram
    participant A as Alice
    A->>Bob: Hello
    loop every day
    Bob-->>A: Hi
    end
    Note over A,Bob: They talk`),
  )
  expect(sequence?.actors.map((actor) => actor.lines.join(' '))).toEqual(['Alice', 'Bob'])
  expect(sequence?.steps.map(({ type, text }) => [type, text])).toEqual([
    ['call', 'Hello'],
    ['line', 'loop every day'],
    ['call', 'Hi'],
    ['note', 'They talk'],
  ])
})

test.each([
  [['pie title Pets', '"Dogs" : 3']],
  [['flowchart TD', 'A --> [']],
  [['flowchart TD', 'A what B']],
  [['flowchart TD']],
  [['sequenceDiagram', 'nothing that is known']],
])('what is not understood is not drawn: %j', (text) => {
  expect([flowOf(text), sequenceOf(text)]).toEqual([null, null])
})

test('any text is drawn with figures that are numbers, or not at all', () => {
  const piece = fc.constantFrom(
    'A',
    'B',
    'C',
    '[x]',
    '{y}',
    '((z))',
    ' --> ',
    ' -- t --> ',
    ' -.-> ',
    '|l|',
    '&',
    '\n',
    'end',
    '"',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const flow = flowOf(['flowchart TD', ...lines(pieces.join(''))])
      for (const { x, y, w, h } of flow?.boxes ?? []) expect([x, y, w, h].every(Number.isFinite)).toBe(true)
    }),
    { numRuns: runs },
  )
})
