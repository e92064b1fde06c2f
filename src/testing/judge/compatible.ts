import { deepseek } from './deepseek.js'
import { mistral } from './mistral.js'
import { moonshot } from './moonshot.js'
import {
  callsOf,
  chatBasics,
  chatContent,
  chatImageBytes,
  chatImages,
  chatMessages,
  chatPairs,
  chatUnique,
} from './openai-chat.js'
import { openaiTools } from './openai-tools.js'
import { unknownKeys, words } from './schema.js'
import { fields, type JudgeRule, list, rows, string } from './scope.js'
import { templates } from './templates.js'

const checked: readonly JudgeRule[] = [...chatBasics, ...chatPairs, chatUnique, chatContent]

const dashscope: readonly JudgeRule[] = [
  {
    id: 'Q-02',
    *find({ body, model }) {
      const thinks = body.enable_thinking === true || (/thinking|qwq/.test(model) && body.enable_thinking !== false)
      if (!thinks || !(body.tool_choice === 'required' || typeof body.tool_choice === 'object')) return
      yield [
        'tool_choice',
        'The tool_choice parameter does not support being set to required or object in thinking mode',
      ]
    },
  },
  {
    id: 'Q-03-parts',
    *find(scope) {
      if (/vl|omni|vision|3\.[5-9]/.test(scope.model)) return
      for (const [index, { content }] of chatMessages(scope).entries()) {
        if (rows(content).some(({ type }) => type !== 'text')) {
          yield [`messages[${index}].content`, 'Unexpected item type in content.']
        }
      }
    },
  },
  {
    id: 'Q-03-user',
    *find(scope) {
      if (chatMessages(scope).some(({ role }) => role === 'user')) return
      yield ['messages', 'The messages must contain elements with the role of user.']
    },
  },
]

const groq: readonly JudgeRule[] = [
  {
    id: 'X-01',
    *find(scope) {
      const known = words('role content name tool_calls tool_call_id function_call')
      for (const [index, message] of chatMessages(scope).entries()) {
        yield* unknownKeys(message, known, (key) => [
          `messages.${index}`,
          `'messages.${index}' : for 'role:${string(message.role)}' the following must be satisfied[('messages.${index}' : property '${key}' is unsupported)]`,
        ])
      }
    },
  },
  {
    id: 'X-images',
    *find(scope) {
      const { length } = chatImages(scope)
      if (length > 5) yield ['messages', `Too many images provided. This model supports up to 5 images, got ${length}.`]
    },
  },
]

const lmstudio: readonly JudgeRule[] = [
  {
    id: 'X-02',
    *find(scope) {
      for (const { role, path } of chatImages(scope)) if (role === 'tool') yield [path, "Invalid 'messages' in payload"]
    },
  },
]

const ollama: readonly JudgeRule[] = [
  {
    id: 'V-05',
    *find({ body, model, server }) {
      if (server.tools === false && list(body.tools).length > 0) yield ['tools', `"${model}" does not support tools`]
      const thinks = body.think === true || (string(body.reasoning_effort) !== '' && body.reasoning_effort !== 'none')
      if (server.thinking === false && thinks) yield ['think', `"${model}" does not support thinking`]
    },
  },
]

/** Servers that put a call's arguments into their template read them as JSON first. */
const parsedArguments: JudgeRule = {
  id: 'V-arguments',
  *find(scope) {
    for (const [index, message] of chatMessages(scope).entries()) {
      for (const [at, call] of callsOf(message).entries()) {
        const given = fields(call.function).arguments
        if (typeof given !== 'string' || given === '' || isJson(given)) continue
        yield [`messages[${index}].tool_calls[${at}]`, 'Failed to parse tool call arguments as JSON']
      }
    }
  },
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The hosts that speak Chat Completions with rules of their own. */
export const compatible: Readonly<Record<string, readonly JudgeRule[]>> = {
  deepseek: [...checked, ...deepseek],
  mistral,
  moonshot: [...checked, ...moonshot],
  dashscope: [...checked, chatImageBytes, ...dashscope],
  vllm: [...chatBasics, parsedArguments, ...templates],
  'llama.cpp': [...chatBasics, parsedArguments, ...templates],
  ollama: [...chatBasics, ...ollama, ...templates],
  groq: [...checked, ...openaiTools, ...groq],
  lmstudio: [...chatBasics, ...lmstudio],
  openrouter: [...checked, chatImageBytes],
}
