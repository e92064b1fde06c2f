/** A long conversation with tools to look at: that of the demo up to its last question, with a paste in it. */
import type { Target } from '../core/message/target.js'
import { sights, trains } from './demo/outputs.js'
import { type DemoTurn, system, tools, turns } from './demo/script.js'
import type { Request } from './kit/request.js'

const paste: DemoTurn = {
  user: `This is the whole timetable; keep it, we may need it.\n${trains(420)}`,
  calls: [['find_sights', { district: 'Fushimi' }, sights(160)]],
  answer: 'Kept: 420 trains. And if one of them takes you to Fushimi, there are 160 things to see there.',
}

/** A request without a budget; the caller decides how much fits. Tools are in the form that the target takes. */
export function sample(target: Target): Request {
  let made = 0
  const messages = [...turns.slice(0, 14), paste, ...turns.slice(14, -1)].flatMap(
    ({ user, calls = [], answer }): unknown[] => {
      const named = calls.map(([name, input, content]) => ({ id: `call_${++made}`, name, input, content }))
      const tool_calls = named.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      }))
      return [
        { role: 'user', content: user },
        ...(named.length === 0 ? [] : [{ role: 'assistant', content: null, tool_calls }]),
        ...named.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content })),
        { role: 'assistant', content: answer },
      ]
    },
  )
  return { messages, current: turns.at(-1)?.user ?? '', system, tools: toolsFor(target) }
}

function toolsFor(target: Target): unknown[] {
  if (target === 'google') return [{ functionDeclarations: tools }]
  if (target === 'openai-responses') return tools.map((tool) => ({ type: 'function', ...tool }))
  if (target === 'anthropic') return tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters }))
  return tools.map((tool) => ({ type: 'function', function: tool }))
}
