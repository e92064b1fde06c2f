/** Gemini's contents with a name for every call: its clients may leave them out, and answer a call twice. */
import { isRecord, listOf } from '../../core/message/fields.js'

/** The n-th call of a history is `call_n`, whatever its client named it: so it is the same in every request. */
export function named(contents: readonly unknown[], callId: (n: number) => string = (n) => `call_${n}`): unknown[] {
  const byClient = new Map<string, string>()
  const waiting: { readonly name: unknown; readonly id: string }[] = []
  const answered = new Set<string>()
  let count = 0
  const call = (given: Fields): Fields => {
    const id = callId(++count)
    if (typeof given.id === 'string') byClient.set(given.id, id)
    waiting.push({ name: given.name, id })
    return { ...given, id }
  }
  /** By its client's name, or the oldest call of the function that has no answer yet. */
  const response = (given: Fields): Fields | null => {
    const known = typeof given.id === 'string' ? byClient.get(given.id) : undefined
    const id = known ?? waiting.find((one) => one.name === given.name && !answered.has(one.id))?.id
    if (id === undefined || answered.has(id)) return null
    answered.add(id)
    return { ...given, id }
  }
  return contents.map((content) => {
    if (!isRecord(content)) return content
    const parts = listOf(content.parts).flatMap((part): unknown[] => {
      if (!isRecord(part)) return [part]
      if (isRecord(part.functionCall)) return [{ ...part, functionCall: call(part.functionCall) }]
      if (!isRecord(part.functionResponse)) return [part]
      const made = response(part.functionResponse)
      return made ? [{ ...part, functionResponse: made }] : []
    })
    return { role: 'user', ...content, parts }
  })
}

type Fields = Readonly<Record<string, unknown>>

export const callsIn = (contents: readonly unknown[]): number =>
  contents
    .flatMap((content) => (isRecord(content) ? listOf(content.parts) : []))
    .filter((part) => isRecord(part) && isRecord(part.functionCall)).length
