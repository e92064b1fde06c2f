import { dataUrl, sniff } from './image.js'
import {
  badName,
  emptyList,
  imageMedia,
  isName,
  longString,
  missing,
  mustBe,
  notKnown,
  openaiTools,
  saidIn,
  tooLong,
} from './openai-tools.js'
import { repeated, unknownKeys, words } from './schema.js'
import { type Fields, fields, type JudgeRule, list, rows, type Scope, string } from './scope.js'

export const chatMessages = ({ body }: Scope): readonly Fields[] => rows(body.messages)
export const callsOf = (message: Fields): readonly Fields[] =>
  message.role === 'assistant' ? rows(message.tool_calls) : []
const roles = ['system', 'assistant', 'user', 'function', 'tool', 'developer']
const parts: Readonly<Record<string, string>> = { user: 'text image_url input_audio file', assistant: 'text refusal' }
const messageKeys = words('role content name tool_calls tool_call_id function_call refusal audio annotations parsed')
const callKeys = words('id type function custom')
const partKeys: Readonly<Record<string, string>> = {
  text: 'type text prompt_cache_breakpoint',
  image_url: 'type image_url prompt_cache_breakpoint',
}

/** Images in messages, with the bytes when they are in the request. */
export const chatImages = (scope: Scope) =>
  chatMessages(scope).flatMap(({ role, content }, index) =>
    rows(content).flatMap((part, at) =>
      part.type === 'image_url'
        ? [
            {
              role: string(role),
              path: `messages[${index}].content[${at}]`,
              data: dataUrl(string(fields(part.image_url).url)),
            },
          ]
        : [],
    ),
  )

/** Each group of calls with the tool messages right behind it. */
export const groups = (scope: Scope) => {
  const messages = chatMessages(scope)
  return messages.flatMap((message, index) => {
    const calls = callsOf(message).map(({ id }) => string(id))
    if (calls.length === 0) return []
    const rest = messages.slice(index + 1)
    const end = rest.findIndex(({ role }) => role !== 'tool')
    const answers = (end < 0 ? rest : rest.slice(0, end)).map(({ tool_call_id }) => string(tool_call_id))
    return [{ index, calls, answers }]
  })
}

/** The rules every server checks that speaks Chat Completions and looks at the messages at all. */
export const chatBasics: readonly JudgeRule[] = [
  {
    id: 'chat-required',
    *find({ body, model }) {
      if (!model) yield ['model', 'you must provide a model parameter']
      if (list(body.messages).length === 0)
        yield ['messages', "Invalid 'messages': empty array. Expected an array with minimum length 1."]
    },
  },
  {
    id: 'chat-role',
    *find(scope) {
      for (const [index, { role }] of chatMessages(scope).entries()) {
        if (roles.includes(string(role))) continue
        const said = `Supported values are: ${roles.map((name) => `'${name}'`).join(', ')}.`
        yield [`messages[${index}].role`, `Invalid value: '${string(role)}'. ${said}`]
      }
    },
  },
  {
    id: 'chat-call',
    *find(scope) {
      for (const [index, message] of chatMessages(scope).entries()) {
        for (const [at, call] of callsOf(message).entries()) {
          const path = `messages[${index}].tool_calls[${at}]`
          const body = fields(call.function)
          if (string(call.id) === '') yield missing(`${path}.id`)
          if (call.type === 'custom') continue
          if (call.type !== 'function') yield missing(`${path}.type`)
          else if (string(body.name) === '') yield missing(`${path}.function.name`)
          else if (typeof body.arguments !== 'string')
            yield mustBe(`${path}.function.arguments`, 'a string', body.arguments)
        }
      }
    },
  },
]

export const chatPairs: readonly JudgeRule[] = [
  {
    id: 'chat-unanswered',
    *find(scope) {
      for (const { index, calls, answers } of groups(scope)) {
        const open = calls.filter((id) => !answers.includes(id))
        if (open.length === 0) continue
        const said =
          "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
        yield [
          `messages[${index}]`,
          `${said} The following tool_call_ids did not have response messages: ${open.join(', ')}`,
        ]
      }
    },
  },
  {
    id: 'chat-orphan',
    *find(scope) {
      const messages = chatMessages(scope)
      for (const [index, { role, tool_call_id }] of messages.entries()) {
        if (role !== 'tool') continue
        const caller = messages.slice(0, index).findLast((message) => message.role !== 'tool')
        if (caller && callsOf(caller).some(({ id }) => id === tool_call_id)) continue
        const said = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
        yield [`messages[${index}].role`, `Invalid parameter: ${said}`]
      }
    },
  },
  {
    id: 'chat-twice',
    *find(scope) {
      for (const { index, calls, answers } of groups(scope)) {
        for (const [at, id] of answers.entries()) {
          const first = answers.indexOf(id)
          if (first === at || !calls.includes(id)) continue
          const places = `messages[${index + 1 + first}] and messages[${index + 1 + at}]`
          yield [
            `messages[${index + 1 + at}]`,
            `Invalid parameter: Duplicate value for 'tool_call_id' of '${id}', in ${places}.`,
          ]
        }
      }
    },
  },
]

/** One id on two calls of a message: gateways and servers alike answer "duplicate tool_call_id". */
export const chatUnique: JudgeRule = {
  id: 'chat-unique',
  *find(scope) {
    for (const { index, calls } of groups(scope)) {
      const id = repeated(calls)
      if (id !== undefined)
        yield [`messages[${index}].tool_calls`, `Invalid parameter: duplicate tool_call_id '${id}'.`]
    }
  },
}

export const chatContent: JudgeRule = {
  id: 'chat-content',
  *find(scope) {
    for (const [index, message] of chatMessages(scope).entries()) {
      const { role, content } = message
      const path = `messages[${index}].content`
      if (Array.isArray(content) && content.length === 0) yield emptyList(path)
      if (typeof content === 'string' || Array.isArray(content)) continue
      if (role === 'assistant' && ['tool_calls', 'function_call', 'refusal', 'audio'].some((key) => message[key]))
        continue
      yield [
        path,
        `Invalid value for 'content': expected a string, got ${content === undefined ? 'null' : typeof content}.`,
      ]
    }
  },
}

export const chatImageBytes: JudgeRule = {
  id: 'O-16',
  *find(scope) {
    for (const { path, data } of chatImages(scope)) {
      if (data === undefined) continue
      const seen = sniff(data.data)?.media
      if (seen === undefined) yield [path, 'The image data you provided does not represent a valid image.']
      else if (!imageMedia.has(seen) || !imageMedia.has(data.media)) {
        yield [
          path,
          "You uploaded an unsupported image. Please make sure your image is of one of the following formats: ['png', 'jpeg', 'gif', 'webp'].",
        ]
      }
    }
  },
}

const strict: readonly JudgeRule[] = [
  {
    id: 'chat-part',
    *find(scope) {
      for (const [index, { role, content }] of chatMessages(scope).entries()) {
        for (const [at, part] of rows(content).entries()) {
          const known = words(parts[string(role)] ?? 'text')
          if (known.has(string(part.type)) || part.type === 'image_url') continue
          const said = `Supported values are: ${[...known].map((name) => `'${name}'`).join(', ')}.`
          yield [`messages[${index}].content[${at}].type`, `Invalid value: '${string(part.type)}'. ${said}`]
        }
      }
    },
  },
  {
    id: 'O-17',
    *find(scope) {
      for (const { role, path } of chatImages(scope)) {
        if (role === 'user') continue
        const said = `Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`
        yield [path, `Invalid '${path}'. ${said}`]
      }
    },
  },
  {
    id: 'chat-empty-calls',
    *find(scope) {
      for (const [index, { tool_calls }] of chatMessages(scope).entries()) {
        if (Array.isArray(tool_calls) && tool_calls.length === 0) yield emptyList(`messages[${index}].tool_calls`)
      }
    },
  },
  {
    id: 'chat-id',
    *find(scope) {
      for (const [index, message] of chatMessages(scope).entries()) {
        for (const [at, { id }] of callsOf(message).entries()) {
          if (string(id).length > 40) yield longString(`messages[${index}].tool_calls[${at}].id`, 40, string(id).length)
        }
      }
    },
  },
  {
    id: 'chat-name',
    *find(scope) {
      for (const [index, message] of chatMessages(scope).entries()) {
        for (const [at, call] of callsOf(message).entries()) {
          const name = string(fields(call.function).name)
          const path = `messages[${index}].tool_calls[${at}].function.name`
          if (name && !isName(name)) yield badName(path)
          if (name.length > 64) yield longString(path, 64, name.length)
        }
        if (typeof message.name === 'string' && !/^[^\s<|\\/>]+$/.test(message.name)) {
          const path = `messages[${index}].name`
          yield [
            path,
            `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[^\\s<|\\\\/>]+$'.`,
          ]
        }
      }
    },
  },
  {
    id: 'chat-keys',
    *find(scope) {
      for (const [index, message] of chatMessages(scope).entries()) {
        const path = `messages[${index}]`
        yield* unknownKeys(message, messageKeys, notKnown(path))
        for (const [at, call] of callsOf(message).entries()) {
          yield* unknownKeys(call, callKeys, notKnown(`${path}.tool_calls[${at}]`))
        }
        for (const [at, part] of rows(message.content).entries()) {
          const known = partKeys[string(part.type)]
          if (known) yield* unknownKeys(part, words(known), notKnown(`${path}.content[${at}]`))
        }
      }
    },
  },
  {
    id: 'O-14',
    *find(scope) {
      for (const [index, message] of chatMessages(scope).entries()) {
        const { length } = callsOf(message)
        if (length > 128) yield tooLong(`messages[${index}].tool_calls`, 128, length)
      }
    },
  },
  {
    id: 'O-15',
    *find(scope) {
      const { length } = chatMessages(scope)
      if (length > 2048) yield tooLong('messages', 2048, length)
    },
  },
  {
    id: 'O-18',
    *find({ body, model }) {
      const found = /^gpt-(\d+)(?:\.(\d+))?/.exec(model)
      const version = found ? Number(`${found[1]}.${found[2] ?? 0}`) : 0
      const effort = string(body.reasoning_effort)
      if (version < 5.4 || effort === '' || effort === 'none' || list(body.tools).length === 0) return
      yield [
        'reasoning_effort',
        `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. Please use /v1/responses instead.`,
      ]
    },
  },
  {
    id: 'O-19-length',
    *find(scope) {
      for (const [index, { content }] of chatMessages(scope).entries()) {
        const { length } = string(content)
        if (length > 10_485_760) yield longString(`messages[${index}].content`, 10_485_760, length)
      }
    },
  },
  {
    id: 'O-19-json',
    *find({ body }) {
      if (fields(body.response_format).type !== 'json_object' || /json/i.test(saidIn(body.messages))) return
      yield [
        'messages',
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      ]
    },
  },
]

export const openaiChat: readonly JudgeRule[] = [
  ...chatBasics,
  ...chatPairs,
  chatUnique,
  chatContent,
  chatImageBytes,
  ...openaiTools,
  ...strict,
]
