import { createHash } from 'node:crypto'
import { type Fields, fields, type Issued, isFields, type JudgeRequest, list, rows, scopeOf, string } from './scope.js'

const thinking = (block: Fields) => block.type === 'thinking' || block.type === 'redacted_thinking'

/** The signature, encrypted content or opaque data of a block, part or item. */
export const signatureOf = (piece: Fields): string =>
  string(piece.signature) ||
  string(piece.thoughtSignature) ||
  (piece.type === 'reasoning' || piece.type === 'compaction' ? string(piece.encrypted_content) : '') ||
  (piece.type === 'redacted_thinking' ? string(piece.data) : '')

/** What a signed block of Claude is bound to: everything in front of it but cache marks, deferred tools and thinking. */
export function prefixHash(body: Fields, messages: readonly Fields[]): string {
  const tools = rows(body.tools).filter((tool) => tool.defer_loading !== true)
  const plain = turns(messages).map(({ role, content }) => ({ role, content: content.filter((b) => !thinking(b)) }))
  const text = JSON.stringify({ system: blocks(body.system), tools, messages: plain }, (key, value: unknown) =>
    key === 'cache_control' ? undefined : isFields(value) ? sorted(value) : value,
  )
  return createHash('sha256').update(text).digest('hex')
}

/** Messages with neighbours of one role joined, as the API itself joins them. */
export function turns(messages: readonly Fields[]): { role: string; content: readonly Fields[] }[] {
  const joined: { role: string; content: readonly Fields[] }[] = []
  for (const message of messages) {
    const role = string(message.role)
    const last = joined.at(-1)
    if (last?.role === role) last.content = [...last.content, ...blocks(message.content)]
    else joined.push({ role, content: blocks(message.content) })
  }
  return joined
}

/** Content as blocks; a string is one text block. */
export const blocks = (content: unknown): readonly Fields[] =>
  typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : rows(content)

/** The entries that a scripted provider keeps for a reply it gave to a request. @example issue({ provider: 'anthropic', body }, reply) */
export function issue(request: JudgeRequest, reply: readonly unknown[]): readonly Issued[] {
  const { body, model, account } = scopeOf(request)
  const earlier = rows(body.messages)
  const shared = { prefix: prefixHash(body, earlier), reply, model, account }
  const before = earlier.flatMap(({ content }) => blocks(content).filter(thinking).map(signatureOf))
  const pieces = rows(reply)
  return pieces.flatMap((piece, at) => {
    const signature = signatureOf(piece)
    const own = pieces.slice(0, at).filter(thinking).map(signatureOf)
    return signature ? [{ ...shared, signature, before: [...before, ...own] }] : []
  })
}

const sorted = (value: Fields) =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'cache_control')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

export const itemsOf = (entry: Issued): readonly Fields[] => list(entry.reply).map(fields)
