/** Gemini CLI's sessions: one JSON document each. */
import type { Format, Imported, ImportedNode, Reading, Says } from '../kit/contract.js'
import { eachTalk } from '../kit/each.js'
import { asId, contentText, isRaw, type Raw, raw, raws, str, timeOf, without } from '../kit/shape.js'

export const geminiCli: Format = {
  name: 'gemini-cli',
  claims: (value) =>
    isRaw(value) && typeof value.sessionId === 'string' && 'projectHash' in value && Array.isArray(value.messages),
  read: (file): AsyncGenerator<Reading> => eachTalk(file, ({ messages }) => messages, session),
}

function session(given: Raw, messages: readonly Raw[], place: string): Imported {
  const nodes: ImportedNode[] = []
  for (const [i, message] of messages.entries())
    nodes.push({
      id: `${i}-${asId(message.id) ?? ''}`,
      parent: nodes.at(-1)?.id ?? null,
      says: saysOf(message),
      at: timeOf(message.timestamp),
      model: str(message.model),
      rest: {
        ...without(message, 'content', 'type', 'timestamp', 'thoughts', 'toolCalls', 'model'),
        calls: callsRest(message),
      },
    })
  return {
    type: 'tree',
    format: 'gemini-cli',
    id: str(given.sessionId) ?? place,
    title: str(given.summary),
    createdAt: timeOf(given.startTime),
    updatedAt: timeOf(given.lastUpdated),
    tags: given.kind === 'subagent' ? ['subagent'] : [],
    head: null,
    nodes,
    rest: without(given, 'messages', 'sessionId', 'startTime', 'lastUpdated'),
    warnings: [],
    skipped: [],
  }
}

function saysOf(message: Raw): Says {
  const { type, content } = message
  if (type !== 'user' && type !== 'gemini')
    return { kind: 'note', label: str(type) ?? 'note', data: contentText(content) }
  if (type === 'user') return { kind: 'message', message: { role: 'user', parts: userParts(content) } }
  const thoughts = raws(message.thoughts).map(({ subject, description }) => ({
    type: 'think',
    text: [str(subject), str(description)].filter(Boolean).join('\n'),
  }))
  const text = contentText(content)
  const parts = [...thoughts, ...raws(message.toolCalls).map(callOf), ...(text === '' ? [] : [{ type: 'text', text }])]
  return { kind: 'message', message: { role: 'assistant', parts } }
}

/** Text, and files in Google's own shape, which `decode` knows. */
const userParts = (content: unknown): readonly unknown[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : raws(content)

function callOf({ id, name, args, status, result, resultDisplay }: Raw): object {
  const call = { type: 'call', id: asId(id) ?? '', name: str(name) ?? 'tool', input: args ?? {} }
  const answers = raws(result).map((one) => raw(raw(one.functionResponse).response))
  const texts = answers.map((answer) => str(answer.output) ?? str(answer.error) ?? JSON.stringify(answer))
  const output = (texts.length > 0 ? texts : str(resultDisplay) ? [str(resultDisplay)] : []).map((text) => ({
    type: 'text',
    text,
  }))
  if (status === 'success') return { ...call, outcome: { state: 'ok', output } }
  return status === 'error' || status === 'cancelled' ? { ...call, outcome: { state: 'error', output } } : call
}

const callsRest = ({ toolCalls }: Raw): Raw[] => raws(toolCalls).map((call) => without(call, 'args', 'result'))
