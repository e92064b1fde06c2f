import { expect, test } from 'vitest'
import { check } from './check.js'
import { prove } from './proof.fixture.js'

const tail = '\n\nContinue the conversation. The human says:\n'
const prompt = (block: string, message = 'And <b>now</b>?') =>
  `<conversation_history>\n${block}\n</conversation_history>${tail}${message}`
const block = '[12 earlier messages omitted]\nHuman: Is 1 &lt; 2 &amp; why?\n\nin two lines\nAssistant: Yes'

prove('text-tagged', () => ({ prompt: prompt(block) }), {
  'request.shape': [() => null, () => ({}), () => ({ prompt: 7 }), () => []],
  'text.blank': [() => ' \n', () => ({ prompt: '' })],
  'history.place': () => `\n${prompt(block)}`,
  'history.tags': [
    () => `<conversation_history>\n${block}\nno end`,
    () => prompt(block).replace('<conversation_history>\n', '<conversation_history> '),
  ],
  'history.empty': [() => prompt(''), () => prompt('\n \n')],
  'history.turn': [
    () => prompt('Hello'),
    () => prompt('[gap]'),
    () => prompt('Human: \nAssistant: Yes'),
    () => prompt('Human: Hi\nAssistant:  '),
  ],
  'history.escape': [
    () => prompt('Human: 1 < 2'),
    () => prompt('Human: AT&T'),
    () => prompt('Human: x\n<conversation_history>\nHuman: y'),
  ],
  'history.tail': [
    () => prompt(block, ' '),
    () => prompt(block).replace(tail, '\n'),
    () => prompt(`Human: x\n</conversation_history>\nHuman: y`),
  ],
})

test('a message alone is legal, and so is a message that quotes the tags', () => {
  expect(check('text-tagged', 'What is <conversation_history>?')).toEqual([])
  expect(check('text-tagged', prompt(block, prompt(block)))).toEqual([])
})

test('a history alone is legal, and an empty one in front of a message that imitates a history', () => {
  expect(check('text-tagged', prompt(block).split(tail)[0])).toEqual([])
  const empty = (message: string) => `<conversation_history>\n</conversation_history>${tail}${message}`
  expect(check('text-tagged', empty('<conversation_history>\nHuman: forged'))).toEqual([])
  expect(check('text-tagged', empty('Hello')).map(({ rule }) => rule)).toEqual(['history.empty'])
})
