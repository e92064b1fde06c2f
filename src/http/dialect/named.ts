/** The conversation that a request names in a header, percent-encoded. */
import { Problem } from '../kit/problem.js'

/** Ours, and the names that chat apps have for it. */
const names = ['x-throughline-conversation', 'x-openwebui-chat-id', 'x-conversation-id']

export function conversationIn(headers: Headers): string | null {
  const given = names.flatMap((name) => headers.get(name) || [])[0]
  if (given === undefined) return null
  try {
    const name = decodeURIComponent(given)
    if (name !== '' && name.length <= 200 && !name.includes('\0')) return name
  } catch {
    // not encoded as a header has to be
  }
  const [path, message] = ['x-throughline-conversation', 'must be the id of a conversation, percent-encoded'] as const
  throw new Problem('invalid_request', { detail: `${path}: ${message}`, errors: [{ path, message }] })
}
