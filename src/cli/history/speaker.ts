/** Who says an entry, in a word. */
import type { Entry } from '../../store/contract/entry.js'

export function entrySpeaker({ body, author }: Entry): string {
  if (body.kind === 'message') return author ?? body.role
  return body.kind === 'result' ? 'tool' : body.kind
}

/** What an entry says, in words: a call that it makes is told, too. */
export function entryWords({ body, text, redacted }: Entry): string {
  if (redacted) return '(removed)'
  if (body.kind === 'note') return body.label
  if (body.kind !== 'message') return text
  const calls = body.parts.flatMap((part) =>
    part.type === 'call' ? [`→ ${part.name}(${JSON.stringify(part.input) ?? ''})`] : [],
  )
  return [text, ...calls].filter((line) => line !== '').join('\n')
}
