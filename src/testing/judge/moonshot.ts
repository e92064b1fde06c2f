import { callsOf, chatMessages } from './openai-chat.js'
import { fields, type JudgeRule, rows, string } from './scope.js'

const isFit = (name: string) => /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name)

export const moonshot: readonly JudgeRule[] = [
  {
    id: 'K-01',
    *find(scope) {
      const { body, model } = scope
      const thinks = /thinking|k2[.-][5-9]|k[3-9]/.test(model)
      if (!thinks || fields(body.thinking).type === 'disabled') return
      for (const [index, message] of chatMessages(scope).entries()) {
        if (callsOf(message).length === 0 || string(message.reasoning_content) !== '') continue
        yield [
          `messages[${index}]`,
          `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`,
        ]
      }
    },
  },
  {
    id: 'K-02',
    *find({ body }) {
      if (body.thinking === undefined || body.reasoning_effort === undefined) return
      yield ['thinking', "cannot specify both 'thinking' and 'reasoning_effort'"]
    },
  },
  {
    id: 'K-empty',
    *find(scope) {
      for (const [index, message] of chatMessages(scope).entries()) {
        if (message.content !== '' || callsOf(message).length > 0 || message.role === 'tool') continue
        yield [
          `messages[${index}]`,
          `Invalid request: message at position ${index} with role '${string(message.role)}' must not be empty`,
        ]
      }
    },
  },
  {
    id: 'K-name',
    *find(scope) {
      const said =
        'Invalid request: function name is invalid, must start with a letter and can contain letters, numbers, underscores, and dashes'
      for (const [index, tool] of rows(scope.body.tools).entries()) {
        const name = string(fields(tool.function).name)
        if (tool.type === 'function' && !isFit(name)) yield [`tools[${index}].function.name`, said]
      }
    },
  },
]
