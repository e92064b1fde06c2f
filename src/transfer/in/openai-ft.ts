/** Lines as OpenAI's fine-tuning takes them: one conversation each, or a question with a better and a worse answer. */
import { digest } from '../../store/shared/runtime.js'
import type { Format, Imported, ImportedNode, Reading } from '../kit/contract.js'
import { eachValue } from '../kit/each.js'
import { asList, isRaw, type Raw, raw, raws, str, without } from '../kit/shape.js'

const isMessages = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isRaw(one) && typeof one.role === 'string')

export const openaiFt: Format = {
  name: 'openai-ft',
  claims: (value) =>
    isRaw(value) && ((isMessages(value.messages) && !('sessionId' in value)) || isMessages(raw(value.input).messages)),
  read: (file): AsyncGenerator<Reading> =>
    eachValue(file, (value, place) =>
      isRaw(value) && (isMessages(value.messages) || isMessages(raw(value.input).messages))
        ? conversation(value)
        : { type: 'skipped', reason: 'a line without messages', place },
    ),
}

function conversation(given: Raw): Imported {
  const isPair = !isMessages(given.messages)
  const nodes: ImportedNode[] = []
  const chain = (messages: readonly Raw[], from: string | null, prefix: string): string | null => {
    let parent = from
    for (const [i, message] of messages.entries()) {
      const id = `${prefix}${i + 1}`
      const rest = without(message, 'role', 'content', 'tool_calls', 'tool_call_id', 'name')
      nodes.push({ id, parent, says: { kind: 'message', message }, rest })
      parent = id
    }
    return parent
  }
  const last = chain(raws(isPair ? raw(given.input).messages : given.messages), null, '')
  const best = isPair ? chain(raws(given.preferred_output), last, 'preferred ') : last
  if (isPair) chain(raws(given.non_preferred_output), last, 'other ')
  const { tools } = isPair ? raw(given.input) : given
  return {
    type: 'tree',
    format: 'openai-ft',
    // a line has no name: it is known by what it says
    id: digest(JSON.stringify(given)).slice(0, 24),
    title: undefined,
    head: best,
    nodes,
    rest: {
      ...without(given, 'messages', 'input', 'preferred_output', 'non_preferred_output'),
      ...(asList(tools).length > 0 && { tools }),
      ...(isPair && { input: without(raw(given.input), 'messages', 'tools') }),
      ...(str(raw(given.metadata).title) && { title: raw(given.metadata).title }),
    },
    warnings: [],
    skipped: [],
  }
}
