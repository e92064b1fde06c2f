/** Links by which anyone may read one branch, and nothing else. */
import { randomBytes } from 'node:crypto'
import { HistoryError } from '../core/message/issue.js'
import type { Conversation } from '../store/contract/conversation.js'
import type { Entry } from '../store/contract/entry.js'
import type { Page, PageQuery } from '../store/contract/page.js'
import type { StoredRecord } from '../store/contract/record.js'
import type { Store } from '../store/contract/store.js'
import { refusal } from '../store/shared/refuse.js'
import { digest } from '../store/shared/runtime.js'
import { systemWorkspace } from './context.js'

export interface ShareRequest {
  readonly branch: string
  /** `snapshot`: what the branch says now, for ever; `live`: whatever it says when someone looks. */
  readonly mode: 'snapshot' | 'live'
  readonly expiresAt: string
  /** Shown instead of the conversation's own title. */
  readonly title?: string
  /** Show the names of those who wrote. */
  readonly authors: boolean
}

export interface Share extends ShareRequest {
  readonly id: string
  readonly createdAt: string
}

/** What anyone with the link may see: these fields and no others. */
export interface SharedView {
  readonly title: string
  readonly mode: Share['mode']
  readonly expires_at: string
  readonly messages: readonly SharedMessage[]
  /** There is more before the first message than one page shows. */
  readonly shortened: boolean
}

export interface SharedMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly at: string
  readonly author?: string
  /** False for an answer that no AI gave. */
  readonly ai?: false
}

interface ShareBody extends ShareRequest {
  readonly hash: string
  /** The entry that a snapshot ends with. */
  readonly head: string | null
}

/** What the token's hash leads to. */
interface Pointer {
  readonly workspace: string
  readonly conversation: string
  readonly share: string
}

const kind = 'share'
/** Entries of a branch that one view reads. */
const most = 2_000

export interface Shares {
  /** The token is told here and never again: only its hash is kept. */
  make(
    workspace: string,
    conversation: string,
    request: ShareRequest,
  ): Promise<{ readonly share: Share; readonly token: string }>
  list(workspace: string, conversation: string, query: PageQuery): Promise<Page<Share>>
  /** At once, on every replica. */
  revoke(workspace: string, conversation: string, share: string): Promise<void>
  /** Null for a token that is unknown, revoked or expired, or whose conversation is gone. */
  view(token: string): Promise<SharedView | null>
}

interface ShareEnv {
  readonly store: Store
  readonly id: () => string
  readonly now: () => string
}

export function openShares({ store, id, now }: ShareEnv): Shares {
  const find = async (workspace: string, conversation: string, share: string): Promise<StoredRecord> => {
    const record = await store.getRecord(workspace, kind, share)
    if (record?.conversation !== conversation)
      throw refusal('not_found', 'there is no such share', { field: 'share', value: share })
    return record
  }

  const living = async (
    token: string,
  ): Promise<{ at: Pointer; body: ShareBody; conversation: Conversation } | null> => {
    const hash = digest(token)
    const pointer = (await store.getRecord(systemWorkspace, kind, hash))?.body as Pointer | undefined
    if (!pointer) return null
    const record = await store.getRecord(pointer.workspace, kind, pointer.share)
    if (!record) await store.removeRecord(systemWorkspace, kind, hash)
    const body = record?.body as ShareBody | undefined
    if (record?.conversation !== pointer.conversation || body?.hash !== hash) return null
    if (Date.parse(body.expiresAt) <= Date.parse(now())) return null
    const conversation = await store.get(pointer.workspace, pointer.conversation)
    return conversation && { at: pointer, body, conversation }
  }

  return {
    async make(workspace, conversation, request) {
      const shared = await store.get(workspace, conversation)
      if (!shared) throw refusal('not_found', 'there is no such conversation', { field: 'conversation' })
      const branches = await store.branches(workspace, conversation)
      const branch = branches.find(({ name }) => name === request.branch)
      if (!branch) throw refusal('not_found', 'there is no such branch', { field: 'branch', value: request.branch })
      const token = randomBytes(32).toString('base64url')
      const hash = digest(token)
      const share = id()
      const at = now()
      const title = request.title ?? (request.mode === 'snapshot' ? shared.title : undefined)
      const body: ShareBody = { ...request, ...(title === undefined ? null : { title }), hash, head: branch.head }
      const pointer: Pointer = { workspace, conversation, share }
      const kept = await store.putRecord(workspace, { kind, id: share, conversation, body, at, expect: null })
      await store.putRecord(systemWorkspace, { kind, id: hash, body: pointer, at, expect: null })
      return { token, share: shareOf(kept) }
    },

    async list(workspace, conversation, query) {
      const page = await store.records(workspace, { ...query, kind, conversation })
      return { ...page, items: page.items.map(shareOf) }
    },

    async revoke(workspace, conversation, share) {
      const record = await find(workspace, conversation, share)
      await store.removeRecord(workspace, kind, share)
      await store.removeRecord(systemWorkspace, kind, (record.body as ShareBody).hash)
    },

    async view(token) {
      const found = await living(token)
      if (!found) return null
      const { at, body, conversation } = found
      const head = body.mode === 'snapshot' ? body.head : await headOf(store, at, body.branch)
      if (head === undefined) return null
      const path = head === null ? [] : await pathOf(store, at, head)
      if (path === null) return null
      return {
        title: body.title ?? conversation.title,
        mode: body.mode,
        expires_at: body.expiresAt,
        messages: path.flatMap((entry) => shown(entry, body.authors)),
        shortened: (path[0]?.depth ?? 0) > 0,
      }
    },
  }
}

function shareOf({ id, body, createdAt }: StoredRecord): Share {
  const { hash: _hash, head: _head, ...request } = body as ShareBody
  return { ...request, id, createdAt }
}

/** Undefined when the branch is no more. */
async function headOf(store: Store, at: Pointer, branch: string): Promise<string | null | undefined> {
  const branches = await store.branches(at.workspace, at.conversation)
  return branches.find(({ name }) => name === branch)?.head
}

/** Null when the conversation was deleted meanwhile. */
async function pathOf(store: Store, at: Pointer, head: string): Promise<readonly Entry[] | null> {
  try {
    return await store.path(at.workspace, at.conversation, head, most)
  } catch (error) {
    if (HistoryError.is(error) && (error.code === 'not_found' || error.code === 'gone')) return null
    throw error
  }
}

/** Words that people and the assistant said; no reasoning, tools, files, notes or system prompts. */
function shown({ body, at, author, redacted, meta }: Entry, authors: boolean): SharedMessage[] {
  if (redacted || body.kind !== 'message' || body.role === 'system') return []
  const text = body.parts
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n\n')
    .trim()
  if (text === '') return []
  const noAi = body.role === 'assistant' && meta?.ai === false ? ({ ai: false } as const) : null
  return [{ role: body.role, text, at, ...(authors && author !== undefined ? { author } : null), ...noAi }]
}
