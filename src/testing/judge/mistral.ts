import { callsOf, chatBasics, chatImageBytes, chatMessages, groups } from './openai-chat.js'
import { unknownKeys, words } from './schema.js'
import { fields, type JudgeRule, rows, string } from './scope.js'

const keys: Readonly<Record<string, string>> = {
  system: 'role content',
  user: 'role content',
  assistant: 'role content tool_calls prefix',
  tool: 'role content tool_call_id name',
}
const topKeys = words(
  'model messages temperature top_p max_tokens stream stop random_seed response_format tools tool_choice presence_penalty frequency_penalty n prediction parallel_tool_calls prompt_mode reasoning_effort safe_prompt guardrails prompt_cache_key',
)
/** Which role may follow which. */
const follows: Readonly<Record<string, string>> = {
  system: 'user assistant system',
  user: 'assistant system user',
  assistant: 'assistant user tool',
  tool: 'assistant tool',
}
const forbidden = { status: 422, type: 'invalid_request_message' }
const order = { status: 400, type: 'invalid_request_message_order' }

export const mistral: readonly JudgeRule[] = [
  ...chatBasics,
  chatImageBytes,
  {
    id: 'M-01',
    ...forbidden,
    *find(scope) {
      const said = (path: string) => (key: string) =>
        [
          path,
          `{"type":"extra_forbidden","loc":["body","${path}","${key}"],"msg":"Extra inputs are not permitted"}`,
        ] as const
      for (const [index, message] of chatMessages(scope).entries()) {
        const known = keys[string(message.role)]
        if (known) yield* unknownKeys(message, words(known), said(`messages[${index}]`))
      }
      yield* unknownKeys(scope.body, topKeys, said('body'))
    },
  },
  {
    id: 'M-02',
    *find(scope) {
      for (const [index, message] of chatMessages(scope).entries()) {
        const ids = [
          ...callsOf(message).map(({ id }) => id),
          ...(message.role === 'tool' ? [message.tool_call_id] : []),
        ]
        for (const id of ids) {
          if (/^[a-zA-Z0-9]{9}$/.test(string(id))) continue
          yield [`messages[${index}]`, `Tool call id was ${string(id)} but must be a-z, A-Z, 0-9, with a length of 9.`]
        }
      }
    },
  },
  {
    id: 'M-03',
    ...order,
    *find(scope) {
      const messages = chatMessages(scope)
      for (const [index, { role }] of messages.entries()) {
        const before = messages[index - 1]?.role
        const known = follows[string(before)]
        if (before === undefined ? role !== 'tool' : !known || words(known).has(string(role))) continue
        yield [`messages[${index}]`, `Unexpected role '${string(role)}' after role '${string(before)}'`]
      }
    },
  },
  {
    id: 'M-04',
    ...order,
    *find(scope) {
      const last = chatMessages(scope).at(-1)
      if (!last || last.role === 'user' || last.role === 'tool' || last.prefix === true) return
      const said = 'Expected last role User or Tool (or Assistant with prefix True) for serving but got'
      yield [`messages[${chatMessages(scope).length - 1}]`, `${said} ${string(last.role)}`]
    },
  },
  {
    id: 'M-count',
    ...order,
    *find(scope) {
      for (const { index, calls, answers } of groups(scope)) {
        if (calls.length === answers.length && calls.every((id) => answers.includes(id))) continue
        yield [`messages[${index}]`, 'Not the same number of function calls and responses']
      }
    },
  },
  {
    id: 'M-empty',
    *find(scope) {
      for (const [index, message] of chatMessages(scope).entries()) {
        const { content } = message
        const blank =
          content === undefined ||
          content === null ||
          content === '' ||
          (Array.isArray(content) && content.length === 0)
        if (message.role !== 'assistant' || !blank || callsOf(message).length > 0) continue
        yield [`messages[${index}]`, 'Assistant message must have either content or tool_calls, but not none.']
      }
    },
  },
  {
    id: 'M-name',
    *find(scope) {
      const named = [
        ...rows(scope.body.tools).map((tool) => string(fields(tool.function).name)),
        ...chatMessages(scope).flatMap((message) => callsOf(message).map((call) => string(fields(call.function).name))),
      ]
      for (const name of named) {
        if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) continue
        yield [
          'tools',
          `Function name was ${name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.`,
        ]
      }
    },
  },
]
