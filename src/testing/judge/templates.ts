import { chatImages, chatMessages } from './openai-chat.js'
import { fields, type JudgeRule, type Scope, string } from './scope.js'

/** What the chat templates of open models raise, on vLLM, llama.cpp and Ollama. */
const qwen = ({ model }: Scope) => /qwen-?3\.[5-8]/i.test(model)
const alternating = ({ model }: Scope) => /mistral-7b|llama-?2\b|gemma-?[123]n?\b|gemma-\d+b/i.test(model)
/** Llama 2 and Gemma 3 fold a leading system message into the first user message. */
const takesSystem = ({ model }: Scope) => /llama-?2|gemma-?3/i.test(model)
/** A template that raises is a bad request to vLLM and a broken server to the others. */
const raised = { status: ({ host }: Scope) => (host === 'vllm' ? 400 : 500) }
const thinks = ({ model, body }: Scope) => {
  const { enable_thinking: on } = fields(body.chat_template_kwargs)
  return on === true || (on !== false && /qwen-?3|glm-4\.[5-9]|deepseek-(r1|v3\.[12])/i.test(model))
}

export const templates: readonly JudgeRule[] = [
  {
    id: 'Q-01',
    ...raised,
    *find(scope) {
      if (!qwen(scope)) return
      for (const [index, { role }] of chatMessages(scope).entries()) {
        if (index > 0 && (role === 'system' || role === 'developer'))
          yield [`messages[${index}]`, 'System message must be at the beginning.']
      }
    },
  },
  {
    id: 'V-01-roles',
    ...raised,
    *find(scope) {
      if (!alternating(scope)) return
      for (const [index, { role }] of chatMessages(scope).entries()) {
        const leading = role === 'system' && index === 0 && takesSystem(scope)
        if (role === 'user' || role === 'assistant' || leading) continue
        yield [`messages[${index}]`, 'Only user and assistant roles are supported!']
      }
    },
  },
  {
    id: 'V-01-alternate',
    ...raised,
    *find(scope) {
      if (!alternating(scope)) return
      const spoken = chatMessages(scope).filter(({ role }) => role === 'user' || role === 'assistant')
      const wrong = spoken.findIndex(({ role }, index) => (role === 'user') !== (index % 2 === 0))
      if (wrong >= 0)
        yield [`messages[${wrong}]`, 'Conversation roles must alternate user/assistant/user/assistant/...']
    },
  },
  {
    id: 'V-02',
    *find(scope) {
      const most = scope.server.images
      const { length } = chatImages(scope)
      if (most !== undefined && length > most)
        yield ['messages', `At most ${most} image(s) may be provided in one request.`]
    },
  },
  {
    id: 'V-03',
    *find(scope) {
      const messages = chatMessages(scope)
      const two = messages.at(-2)?.role === 'assistant'
      if (scope.host !== 'llama.cpp' || messages.at(-1)?.role !== 'assistant' || two || !thinks(scope)) return
      yield [`messages[${messages.length - 1}]`, 'Assistant response prefill is incompatible with enable_thinking.']
    },
  },
  {
    id: 'V-04',
    ...raised,
    *find(scope) {
      const messages = chatMessages(scope)
      if (
        scope.host === 'vllm' ||
        string(messages.at(-1)?.role) !== 'assistant' ||
        messages.at(-2)?.role !== 'assistant'
      )
        return
      yield [`messages[${messages.length - 1}]`, 'Cannot have 2 or more assistant messages at the end of the list.']
    },
  },
]
