/** The service as functions: typed, retried where that is safe, and small enough for any page. */
import { type Ask, type ClientOptions, callerOf } from './call.js'
import { type FollowOptions, follow } from './follow.js'
import { type QueryRequest, query } from './query.js'
import type { Connection, ConnectionList, NewConnection, TestedConnection } from './wire/connection.js'
import type { Branch, Conversation, ConversationPatch, Labels, NewConversation, Tree } from './wire/conversation.js'
import type { Memory, MemoryKind, MemoryPatch, NewMemory } from './wire/memory.js'
import type { Appended, Brief, Message, NewMessage, Rating } from './wire/message.js'
import type { Page, Paging } from './wire/page.js'
import type {
  ChatAnswer,
  ChatRequest,
  Decided,
  Decision,
  Run,
  RunRequest,
  RunSettings,
  StartedRun,
} from './wire/run.js'
import type { Found, SearchQuery } from './wire/search.js'
import type { NewShare, Share } from './wire/share.js'
import type { Model, PolicyListing, System, UsageReport } from './wire/system.js'
import type { AssembleRequest, ContextWindow, KeptReceipt, ReceiptDiff, Replay, WhatIf } from './wire/window.js'

/** How one call is made. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** The idempotency key of a write, instead of a new one: the same key again gives the same answer. */
  readonly key?: string
  /** It is sent even if the page is left at once. */
  readonly keepalive?: boolean
}

export type Client = ReturnType<typeof openClient>

export function openClient(options: ClientOptions = {}) {
  const caller = callerOf(options)
  const ask = <T>(ask: Ask, { signal, keepalive }: CallOptions = {}) =>
    caller.json<T>({ ...ask, ...(signal && { signal }), ...(keepalive && { keepalive }) })
  const get = <T>(path: string, query?: object, call?: CallOptions) => ask<T>({ path, ...(query && { query }) }, call)
  const keyed = <T>(path: string, body: unknown, call: CallOptions = {}) =>
    ask<T>({ method: 'POST', path, body, keyed: call.key ?? true }, call)

  return {
    conversations: {
      list: (query: Paging & ConversationFilter = {}, call?: CallOptions) => get<Page<Conversation>>(all, query, call),
      create: (body: NewConversation = {}, call?: CallOptions) => keyed<Conversation>(all, body, call),
      get: (id: string, call?: CallOptions) => get<Conversation>(one(id), undefined, call),
      update: (id: string, body: ConversationPatch, call?: CallOptions) =>
        ask<Conversation>({ method: 'PATCH', path: one(id), body, safe: true }, call),
      remove: (id: string, call?: CallOptions) => ask<unknown>({ method: 'DELETE', path: one(id) }, call),
      /** All of it as JSON, or a branch as Markdown. */
      export: async (id: string, query: { readonly format: 'json' | 'markdown'; readonly branch?: string }) =>
        (await caller.send({ path: `${one(id)}/export`, query })).blob(),
      labels: (query: { readonly archived?: boolean } = {}, call?: CallOptions) =>
        get<Labels>('/api/v1/labels', query, call),
      tree: (id: string, query: TreeQuery = {}, call?: CallOptions) => get<Tree>(`${one(id)}/tree`, query, call),
    },
    messages: {
      list: (id: string, query: MessageQuery = {}, call?: CallOptions) =>
        get<Page<Message> & { readonly head_id: string | null }>(`${one(id)}/messages`, query, call),
      get: (id: string, message: string, call?: CallOptions) => get<Message>(at(id, message), undefined, call),
      append: (id: string, body: AppendRequest, call?: CallOptions) =>
        keyed<Appended>(`${one(id)}/messages`, body, call),
      mark: (id: string, message: string, body: { readonly pinned?: boolean; readonly excluded?: boolean }) =>
        ask<Message>({ method: 'PATCH', path: at(id, message), body, safe: true }),
      /** A long path at a glance: up to 2,000 messages at once, a line for each. */
      outline: (id: string, query: MessageQuery = {}, call?: CallOptions) =>
        get<Page<Brief>>(`${one(id)}/outline`, query, call),
      rate: (id: string, message: string, body: { readonly value: -1 | 0 | 1; readonly note?: string }) =>
        ask<Rating>({ method: 'PUT', path: `${at(id, message)}/rating`, body, safe: true }),
      redact: (id: string, message: string) => ask<unknown>({ method: 'DELETE', path: at(id, message) }),
      /** Another version of it, on a branch of its own; with `run` it is answered at once. */
      edit: (id: string, message: string, body: EditRequest) =>
        ask<Appended & { readonly run: Run | null }>({ method: 'POST', path: `${at(id, message)}/edit`, body }),
      /** A branch that ends before an answer; with `run` another answer begins. */
      regenerate: (id: string, message: string, body: AgainRequest = {}) =>
        ask<Branch & { readonly run: Run | null }>({ method: 'POST', path: `${at(id, message)}/regenerate`, body }),
    },
    blobs: {
      /** The bytes of a file, as they were given. */
      get: async (id: string, blob: string, { signal }: CallOptions = {}) =>
        (await caller.send({ path: `${one(id)}/blobs/${part(blob)}`, ...(signal && { signal }) })).blob(),
    },
    branches: {
      list: (id: string, call?: CallOptions) => get<Page<Branch>>(`${one(id)}/branches`, undefined, call),
      /** Those whose path has a message, main first. */
      to: (id: string, message: string, call?: CallOptions) =>
        get<Page<Branch>>(`${at(id, message)}/branches`, undefined, call),
      set: (id: string, branch: string, body: { readonly head_id: string | null; readonly expect: string | null }) =>
        ask<Branch>({ method: 'PUT', path: `${one(id)}/branches/${part(branch)}`, body }),
      rename: (id: string, branch: string, name: string) =>
        ask<Branch>({ method: 'PATCH', path: `${one(id)}/branches/${part(branch)}`, body: { name } }),
      remove: (id: string, branch: string) =>
        ask<undefined>({ method: 'DELETE', path: `${one(id)}/branches/${part(branch)}` }),
      fork: (id: string, body: { readonly at: string | null; readonly branch?: string }) =>
        ask<Branch>({ method: 'POST', path: `${one(id)}/fork`, body }),
    },
    runs: {
      start: (id: string, body: RunRequest, call?: CallOptions) => keyed<StartedRun>(`${one(id)}/runs`, body, call),
      list: (id: string, query: Paging = {}, call?: CallOptions) => get<Page<Run>>(`${one(id)}/runs`, query, call),
      get: (id: string, run: string, call?: CallOptions) => get<Run>(running(id, run), undefined, call),
      /** Allows or denies a call that waits; `next` is the run that goes on, once no other waits. */
      decide: (id: string, run: string, decision: Decision) =>
        ask<Decided>({ method: 'POST', path: `${running(id, run)}/decide`, body: decision }),
      /** Lets a run go on that was stopped, cut off or reached a limit. */
      resume: (id: string, run: string) => ask<StartedRun>({ method: 'POST', path: `${running(id, run)}/resume` }),
      stop: (id: string, run: string) => ask<Run>({ method: 'POST', path: `${running(id, run)}/stop`, safe: true }),
      /** A run to its end, each event once. */
      follow: (id: string, run: string, options: FollowOptions = {}) =>
        follow(caller, `${running(id, run)}/events`, run, options),
    },
    /** All that happens in a conversation, each event once, until the signal. */
    follow: (id: string, options: FollowOptions = {}) => follow(caller, `${one(id)}/events`, null, options),
    receipts: {
      list: (id: string, query: Paging = {}, call?: CallOptions) =>
        get<Page<KeptReceipt>>(`${one(id)}/receipts`, query, call),
      get: (receipt: string, call?: CallOptions) => get<KeptReceipt>(`${receipts}/${part(receipt)}`, undefined, call),
      diff: (receipt: string, other: string, call?: CallOptions) =>
        get<ReceiptDiff>(`${receipts}/${part(receipt)}/diff/${part(other)}`, undefined, call),
      replay: (receipt: string, call?: CallOptions) =>
        ask<Replay>({ method: 'POST', path: `${receipts}/${part(receipt)}/replay`, safe: true }, call),
      /** The window as it would have been with other settings; nothing is sent and nothing is kept. */
      whatIf: (receipt: string, body: WhatIf, call?: CallOptions) =>
        ask<ContextWindow>({ method: 'POST', path: `${receipts}/${part(receipt)}/what-if`, body, safe: true }, call),
    },
    shares: {
      create: (id: string, body: NewShare = {}) =>
        ask<Share & { readonly token: string; readonly url: string }>({
          method: 'POST',
          path: `${one(id)}/shares`,
          body,
        }),
      list: (id: string, query: Paging = {}) => get<Page<Share>>(`${one(id)}/shares`, query),
      revoke: (id: string, share: string) =>
        ask<undefined>({ method: 'DELETE', path: `${one(id)}/shares/${part(share)}` }),
    },
    /** What is known beyond one conversation. */
    memories: {
      list: (query: Paging & { readonly kind?: MemoryKind } = {}, call?: CallOptions) =>
        get<Page<Memory>>(memories, query, call),
      add: (body: NewMemory) => ask<Memory>({ method: 'POST', path: memories, body }),
      correct: (id: string, body: MemoryPatch) =>
        ask<Memory>({ method: 'PATCH', path: `${memories}/${part(id)}`, body }),
      remove: (id: string) => ask<undefined>({ method: 'DELETE', path: `${memories}/${part(id)}` }),
    },
    /** What a model would get, and why; nothing is kept. */
    assemble: (body: AssembleRequest, call?: CallOptions) =>
      ask<ContextWindow>({ method: 'POST', path: '/api/v1/context/assemble', body, safe: true }, call),
    search: (query: SearchQuery, call?: CallOptions) => get<Found>('/api/v1/search', query, call),
    usage: (query: { readonly from?: string; readonly to?: string; readonly conversation_id?: string } = {}) =>
      get<UsageReport>('/api/v1/usage', query),
    system: (call?: CallOptions) => get<System>('/api/v1/system', undefined, call),
    /** Models that are connected while the service runs; for its operator. */
    connections: {
      list: (call?: CallOptions) => get<ConnectionList>(connections, undefined, call),
      test: (body: NewConnection, call?: CallOptions) =>
        ask<TestedConnection>({ method: 'POST', path: `${connections}/test`, body }, call),
      add: (body: NewConnection) => ask<Connection>({ method: 'POST', path: connections, body }),
      models: (id: string, call?: CallOptions) =>
        get<TestedConnection>(`${connections}/${part(id)}/models`, undefined, call),
      remove: (id: string) => ask<unknown>({ method: 'DELETE', path: `${connections}/${part(id)}` }),
      /** The model that answers when none is named. */
      use: (model: string) =>
        ask<{ readonly usual: string }>({ method: 'PUT', path: '/api/v1/models/usual', body: { model }, safe: true }),
    },
    models: () => get<Page<Model> & { readonly usual: string }>('/api/v1/models'),
    policies: () => get<Page<PolicyListing>>('/api/v1/policies'),
    /** One message of a session, and its answer. */
    chat: (body: ChatRequest, call?: CallOptions) => keyed<ChatAnswer>('/chat', body, call),
    /** One question with its history in hand, answered as a stream; the service keeps nothing of it. */
    query: (body: QueryRequest, { signal }: Pick<CallOptions, 'signal'> = {}) => query(caller, body, signal),
  }
}

export interface ConversationFilter {
  /** In the title. */
  readonly q?: string
  readonly folder?: string
  readonly tag?: string
  readonly pinned?: boolean
  readonly archived?: boolean
}

export interface MessageQuery {
  readonly branch?: string
  /** The path that ends here, instead of a branch. */
  readonly head?: string
  /** The page that ends before this message: `next_cursor`. */
  readonly before?: string
  readonly limit?: number
}

export interface TreeQuery {
  readonly around?: string
  readonly depth?: number
  readonly branch?: string
  readonly after?: number
  readonly limit?: number
}

export interface AppendRequest {
  readonly branch?: string
  readonly expect?: string | null
  readonly message?: NewMessage
  readonly messages?: readonly NewMessage[]
}

export interface EditRequest {
  readonly message: NewMessage
  readonly branch?: string
  readonly run?: RunSettings
}

export interface AgainRequest {
  readonly branch?: string
  readonly run?: RunSettings
}

const part = encodeURIComponent
const all = '/api/v1/conversations'
const receipts = '/api/v1/receipts'
const memories = '/api/v1/memories'
const connections = '/api/v1/connections'
const one = (id: string): string => `${all}/${part(id)}`
const at = (id: string, message: string): string => `${one(id)}/messages/${part(message)}`
const running = (id: string, run: string): string => `${one(id)}/runs/${part(run)}`
