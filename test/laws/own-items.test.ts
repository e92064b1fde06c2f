/** Calls that OpenAI defines itself: shells, computers, patches, approvals. Neither half is sent without the other. */
import { expect, test } from 'vitest'
import { check } from '../../src/core/rules/check.js'
import { assemble } from '../../src/index.js'
import { judge } from '../../src/testing/judge/index.js'

const png = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', 'latin1').toString('base64')}`
const long = 'a line of output\n'.repeat(40)

/** Each kind of call with its output, as the API writes them; `n` tells the rounds apart. */
const pairs = (n: number): readonly (readonly [call: object, output: object])[] => [
  [
    { type: 'local_shell_call', id: `lsh_${n}`, call_id: `local_${n}`, status: 'completed', action: action(['ls']) },
    { type: 'local_shell_call_output', id: `local_${n}`, output: `local ${n} ${long}` },
  ],
  [
    { type: 'shell_call', call_id: `shell_${n}`, action: { commands: ['ls'] } },
    {
      type: 'shell_call_output',
      call_id: `shell_${n}`,
      output: [{ stdout: `shell ${n} ${long}`, stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
  ],
  [
    {
      type: 'apply_patch_call',
      call_id: `patch_${n}`,
      status: 'completed',
      operation: { type: 'delete_file', path: 'a' },
    },
    { type: 'apply_patch_call_output', call_id: `patch_${n}`, status: 'failed', output: `patch ${n} ${long}` },
  ],
  [
    {
      type: 'computer_call',
      id: `cu_${n}`,
      call_id: `screen_${n}`,
      status: 'completed',
      action: { type: 'screenshot' },
    },
    { type: 'computer_call_output', call_id: `screen_${n}`, output: { type: 'computer_screenshot', image_url: png } },
  ],
  [
    { type: 'mcp_approval_request', id: `mcpr_${n}`, server_label: 'db', name: 'drop', arguments: '{}' },
    { type: 'mcp_approval_response', approval_request_id: `mcpr_${n}`, approve: false, reason: `not in round ${n}` },
  ],
]

const action = (command: readonly string[]) => ({ type: 'exec', command, env: {} })
const said = (n: number) => ({ role: 'user', content: `round ${n}` })
const rounds = Array.from({ length: 6 }, (_, n) => n)

const targets = ['openai-responses', 'openai-chat', 'anthropic', 'google'] as const
const places = {
  'openai-responses': ['openai-responses', 'gpt-5.5', { store: false }],
  'openai-chat': ['openai-chat', 'gpt-4o', {}],
  anthropic: ['anthropic', 'claude-sonnet-4-5', { max_tokens: 1_000 }],
  google: ['gemini', 'gemini-2.5-pro', {}],
} as const

/** Why the window would be refused, by either judge. */
function refused(messages: readonly object[], target: (typeof targets)[number], budget: number): readonly string[] {
  const [provider, model, more] = places[target]
  const made = assemble({ messages, current: 'And now?' }, 'balanced', { target, model, budget })
  if (!made.ok) return [made.error.message]
  const body = { ...(target === 'google' ? null : { model }), ...more, ...made.rendered }
  return [...check(target, body, { model }), ...judge({ provider, model, body })].map(
    ({ rule, path }) => `${rule} ${path}`,
  )
}

test.each(targets)('%s: pairs stay pairs at every budget, and with either half lost', (target) => {
  const whole = rounds.flatMap((n) => [said(n), ...pairs(n).flat()])
  const budgets = [100_000, 4_000, 2_000, 1_000, 600, 300, 150]
  for (const budget of budgets) expect(refused(whole, target, budget)).toEqual([])
  const kinds = pairs(0).length
  for (let kind = 0; kind < kinds; kind++)
    for (const half of [0, 1])
      for (const budget of [100_000, 600]) {
        const torn = rounds.flatMap((n) => [
          said(n),
          ...pairs(n).flatMap((pair, k) => (k === kind ? [pair[half] as object] : pair)),
        ])
        expect(refused(torn, target, budget), `half ${half} of ${kind}`).toEqual([])
      }
})

test('with room for all of it every call is sent with what came of it', () => {
  const messages = [said(0), ...pairs(0).flat()]
  const made = assemble({ messages, current: 'And now?' }, 'balanced', { target: 'openai-responses', model: 'gpt-5.5' })
  if (!made.ok) throw new Error(made.error.message)
  const { input } = made.rendered
  const ids = (type: string) => input.flatMap((item) => (item.type === type && 'call_id' in item ? [item.call_id] : []))
  expect(ids('function_call')).toEqual(['local_0', 'shell_0', 'patch_0', 'screen_0', 'mcpr_0'])
  expect(ids('function_call_output')).toEqual(ids('function_call'))
  const written = JSON.stringify(input)
  for (const words of ['local 0', 'shell 0', 'patch 0', 'denied: not in round 0', 'delete_file'])
    expect(written).toContain(words)
  expect(written).not.toContain('interrupted')
})
