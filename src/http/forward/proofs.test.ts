import { describe, expect, test } from 'vitest'
import type { WireName } from '../../models/wire/wires.js'
import { betaOf, openProofs, unbound } from './proofs.js'

const route = (wire: WireName, model: string, issuer = 'us') => ({ session: 's', wire, model, issuer })
const thought = (signature: string) => ({ type: 'thinking', thinking: 'Hm.', signature })
const told = { type: 'text', text: 'Yes.' }
const claude = (...signatures: string[]) => ({
  messages: signatures.flatMap((signature) => [
    { role: 'user', content: 'So?' },
    { role: 'assistant', content: [thought(signature), told] },
  ]),
})
const opus = route('anthropic', 'anthropic/claude-opus-5-5')
const gpt = route('openai-responses', 'openai/gpt-5.5')
const gemini = route('google', 'google/gemini-3-pro')

test('a request whose proofs are its model’s own goes on as it came', () => {
  const asked = claude('c2ln', 'c2lo')
  expect(openProofs().before(opus, asked)).toBe(asked)
})

test('thinking without a signature is left out, all of its message’s at once', () => {
  const asked = {
    messages: [...claude('c2ln').messages, { role: 'assistant', content: [thought('c2lo'), thought(''), told] }],
  }
  const { messages } = openProofs().before(opus, asked)
  expect(messages).toEqual([...claude('c2ln').messages, { role: 'assistant', content: [told] }])
})

test('after a refusal all proofs so far are left out, and those that follow go back', () => {
  const proofs = openProofs()
  const refusal = 'messages.1.content.0: Invalid `signature` in `thinking` block'
  const healed = proofs.after(opus, claude('c2ln'), refusal)
  expect(healed?.messages).toEqual([
    { role: 'user', content: 'So?' },
    { role: 'assistant', content: [told] },
  ])
  const next = JSON.stringify(proofs.before(opus, claude('c2ln', 'c2lo')))
  expect(next).not.toContain('c2ln')
  expect(next).toContain('c2lo')
  expect(proofs.after(opus, claude('c2ln'), refusal)).toBeNull()
  expect(proofs.after(opus, claude('c2ln'), 'max_tokens: Field required')).toBeNull()
})

test('bound thinking behind a changed history is left to the provider, which wants a beta for it (A-01)', () => {
  const asked = { ...claude('c2ln'), thinking: { type: 'adaptive' } }
  const loose = openProofs().after(opus, asked, 'The block is bound to a different conversation')
  expect(loose).toMatchObject({ thinking: { block_binding: { prefix_mismatch_behavior: 'drop_block' } } })
  expect(betaOf(loose ?? {})).toContain('thinking-binding-controls')
  expect(unbound('anthropic', 'claude-opus-4-8', asked)).toBe(asked)
})

describe('what another model sealed', () => {
  const sealed = (encrypted_content?: string) => ({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content })
  const said = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] }

  test('is left out at OpenAI, with the ids that ask for it (O-05, O-01)', () => {
    const proofs = openProofs()
    proofs.note({ ...gpt, model: 'openai/gpt-5' }, '{"type":"reasoning","encrypted_content":"gAAAAfive"}')
    proofs.note(gpt, '{"type":"reasoning","encrypted_content":"gAAAAown"}')
    const { id: _, ...bare } = said
    expect(proofs.before(gpt, { input: [sealed('gAAAAfive'), said] }).input).toEqual([bare])
    const own = { input: [sealed('gAAAAown'), said] }
    expect(proofs.before(gpt, own)).toBe(own)
  })

  test('is left out for another account of the same model, and goes back to its own (O-05)', () => {
    const proofs = openProofs()
    proofs.note(gpt, '{"type":"reasoning","encrypted_content":"gAAAAown"}')
    const asked = { input: [sealed('gAAAAown'), said] }
    expect(proofs.before({ ...gpt, issuer: 'others' }, asked).input).toHaveLength(1)
    expect(proofs.before(gpt, asked)).toBe(asked)
  })

  test('is left out when it is neither there nor kept (O-04)', () => {
    const asked = { input: [sealed(), said] }
    expect(openProofs().before(gpt, { ...asked, store: false }).input).toHaveLength(1)
    expect(openProofs().before(gpt, asked)).toBe(asked)
  })

  test('becomes Google’s own word on a call, and nothing on a text (G-01, G-02)', () => {
    const proofs = openProofs()
    proofs.note({ ...gemini, model: 'google/gemini-2.5-pro' }, '{"thoughtSignature": "b2xk"}')
    const call = { functionCall: { name: 'look', args: {} } }
    const contents = [
      { role: 'user', parts: [{ text: 'So?' }] },
      { role: 'model', parts: [{ text: 'Hm.', thoughtSignature: 'b2xk' }, call] },
      { role: 'user', parts: [{ functionResponse: { name: 'look', response: {} } }] },
    ]
    expect(proofs.before(gemini, { contents }).contents).toEqual([
      contents[0],
      { role: 'model', parts: [{ text: 'Hm.' }, { ...call, thoughtSignature: 'skip_thought_signature_validator' }] },
      contents[2],
    ])
  })
})

test('OpenAI gets no reasoning_content, and a server that wants it does (M-01, D-01)', () => {
  const asked = { messages: [{ role: 'assistant', content: 'Yes.', reasoning_content: 'Hm.' }] }
  const bare = { messages: [{ role: 'assistant', content: 'Yes.' }] }
  expect(openProofs().before(route('openai-chat', 'openai/gpt-4o'), asked)).toEqual(bare)
  expect(openProofs().before(route('openai-chat', 'deepseek/deepseek-v4'), asked)).toBe(asked)
})
