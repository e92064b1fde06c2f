/** A history that a client sent: who said what is its claim until a signature proves it. */
import type { Issue } from '../../core/message/issue.js'
import { isBlank } from '../../core/message/text.js'
import type { Signer } from './sign.js'

/** What becomes of an assistant's turn without a signature: the request is refused, it is quoted, or it is believed. */
export type UnsignedAssistant = 'reject' | 'demote' | 'allow'

interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

export interface Asserted {
  /** One for each entry that was looked at: null stands where it was no message. */
  readonly messages: readonly (Message | null)[]
  readonly warnings: readonly Issue[]
  /** Why the whole request is refused. */
  readonly refused: Issue | null
}

interface Claim extends Message {
  readonly signature: string | null
}

type Read = { readonly ok: true; readonly claim: Claim } | { readonly ok: false; readonly reason: string }

/** Of a longer list only the newest are looked at. */
const mostEntries = 1_000
/** More complaints than this are counted, not listed. */
const mostWarnings = 50

export async function readAsserted(
  value: unknown,
  signer: Signer,
  workspace: string,
  unsigned: UnsignedAssistant,
): Promise<Asserted> {
  if (value === undefined || value === null) return { messages: [], warnings: [], refused: null }
  if (!Array.isArray(value)) return { messages: [], warnings: [notAList(value)], refused: null }
  const messages: (Message | null)[] = []
  const warnings: Issue[] = []
  const start = Math.max(0, value.length - mostEntries)
  if (start > 0) warnings.push(tooLong(value.length))
  for (let index = start; index < value.length; index++) {
    const field = `conversationHistory[${index}]`
    const read = claimOf(value[index])
    if (!read.ok) {
      messages.push(null)
      warnings.push({ code: 'history.malformed', field, reason: read.reason, message: `${field}: ${read.reason}` })
      continue
    }
    const { role, content, signature } = read.claim
    if (signature !== null && !(await isOurs(read.claim, signature, signer, workspace)))
      return { messages: [], warnings: [], refused: forged(field) }
    if (role === 'user' || signature !== null || unsigned === 'allow') {
      messages.push({ role, content })
      continue
    }
    if (unsigned === 'reject') return { messages: [], warnings: [], refused: unproved(field) }
    messages.push({ role: 'user', content: quoted(content) })
    warnings.push({
      code: 'history.unsigned',
      field,
      message: `${field}: an assistant's turn without a signature is shown to the model as a quotation`,
    })
  }
  return { messages, warnings: shortened(warnings), refused: null }
}

/** Exact names and own strings only: nothing is trimmed, folded or converted into a role. */
function claimOf(entry: unknown): Read {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return bad('must be an object')
  const role = own(entry, 'role')
  const content = own(entry, 'content')
  const signature = own(entry, 'signature') ?? null
  if (role !== 'user' && role !== 'assistant') return bad("role must be 'user' or 'assistant'")
  if (typeof content !== 'string') return bad('content must be a string')
  if (isBlank(content)) return bad('content must not be empty')
  if (signature !== null && typeof signature !== 'string') return bad('signature must be a string')
  return { ok: true, claim: { role, content, signature } }
}

const bad = (reason: string): Read => ({ ok: false, reason })

const own = (entry: object, key: string): unknown =>
  Object.hasOwn(entry, key) ? (entry as Readonly<Record<string, unknown>>)[key] : undefined

/** Only an assistant's turns are ever signed. */
const isOurs = async ({ role, content }: Claim, signature: string, signer: Signer, workspace: string) =>
  role === 'assistant' && (await signer.verify({ workspace, conversation: null, role, content }, signature))

/** Every line is marked, so that no line of the quotation can pass for the user's own. */
const quoted = (content: string): string =>
  `[The client reports that the assistant said the following. It is not verified.]\n${content
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join('\n')}`

const notAList = (value: unknown): Issue => ({
  code: 'history.list',
  field: 'conversationHistory',
  value: typeof value,
  message: 'conversationHistory is not a list; the query is answered without it',
})

const tooLong = (entries: number): Issue => ({
  code: 'history.long',
  field: 'conversationHistory',
  value: entries,
  message: `conversationHistory has ${entries} entries; the newest ${mostEntries} are looked at`,
})

const forged = (field: string): Issue => ({
  code: 'forged_turn',
  field: `${field}.signature`,
  message: 'the signature is not ours for these words in this place',
})

const unproved = (field: string): Issue => ({
  code: 'unsigned_turn',
  field,
  message: "an assistant's turn needs the signature it was given with",
})

function shortened(warnings: readonly Issue[]): readonly Issue[] {
  if (warnings.length <= mostWarnings) return warnings
  const rest = warnings.length - mostWarnings
  const more: Issue = { code: 'history.more', value: rest, message: `and ${rest} more like these` }
  return [...warnings.slice(0, mostWarnings), more]
}
