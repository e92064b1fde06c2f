import { callsOf, chatMessages } from './openai-chat.js'
import { fields, type JudgeRule, type Scope, string } from './scope.js'

/** It thinks unless told not to; only the old `deepseek-chat` has to be told to. */
const thinks = ({ body, model }: Scope) => {
  const { type } = fields(body.thinking)
  return type === 'enabled' || (type !== 'disabled' && !/deepseek-chat/.test(model))
}

export const deepseek: readonly JudgeRule[] = [
  {
    id: 'D-01',
    *find(scope) {
      if (!thinks(scope)) return
      const messages = chatMessages(scope)
      for (const [index, message] of messages.entries()) {
        if (message.role !== 'assistant' || string(message.reasoning_content) !== '') continue
        // every reply between two user messages counts when one of them called a tool
        const start = messages.slice(0, index).findLastIndex(({ role }) => role === 'user')
        const next = messages.findIndex(({ role }, at) => at > index && role === 'user')
        if (!messages.slice(start + 1, next < 0 ? undefined : next).some((one) => callsOf(one).length > 0)) continue
        yield [`messages[${index}]`, 'The reasoning_content in the thinking mode must be passed back to the API.']
      }
    },
  },
  {
    id: 'D-03',
    *find(scope) {
      const { tool_choice: choice } = scope.body
      if (!thinks(scope) || !(choice === 'required' || typeof choice === 'object')) return
      yield ['tool_choice', 'Thinking mode does not support this tool_choice']
    },
  },
]
