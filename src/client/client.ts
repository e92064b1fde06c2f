/** The service as functions: typed, retried where that is safe, and small enough for any page. */
import { type CallRequest, type ClientOptions, callerOf } from './call.js'
import { type FollowOptions, followEvents } from './follow.js'
import { type QueryRequest, query } from './query.js'
import type {
  AgainRequest,
  AppendRequest,
  AssembleRequest,
  ChatRequest,
  ConversationPatch,
  Decision,
  EditRequest,
  Input,
  MemoryPatch,
  MessageQuery,
  NewConnection,
  NewConversation,
  NewMemory,
  NewShare,
  NewToolServer,
  Operations,
  Output,
  Paging,
  RatingRequest,
  RunRequest,
  SearchQuery,
  TreeQuery,
  WhatIf,
} from './wire.js'

/** How one call is made. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** The idempotency key of a write, instead of a new one: the same key again gives the same answer. */
  readonly key?: string
  /** It is sent even if the page is left at once. */
  readonly keepalive?: boolean
}

/** What `openClient` gives. */
export type Client = ReturnType<typeof openClient>

/** The service as typed functions. @example const { response } = await openClient({ url }).chat({ session_id: 'a', message: 'Hello' }) */
export function openClient(options: ClientOptions = {}) {
  const caller = callerOf(options)
  const ask = <Name extends keyof Operations>(ask: CallRequest, { signal, keepalive }: CallOptions = {}) =>
    caller.json<Output<Name>>({ ...ask, ...(signal && { signal }), ...(keepalive && { keepalive }) })
  const get = <Name extends keyof Operations>(path: string, query?: object, call?: CallOptions) =>
    ask<Name>({ path, ...(query && { query }) }, call)
  const keyed = <Name extends keyof Operations>(path: string, body: unknown, call: CallOptions = {}) =>
    ask<Name>({ method: 'POST', path, body, keyed: call.key ?? true }, call)

  return {
    conversations: {
      list: (query: Input<'conversations.list'> = {}, call?: CallOptions) =>
        get<'conversations.list'>(all, query, call),
      create: (body: NewConversation = {}, call?: CallOptions) => keyed<'conversations.create'>(all, body, call),
      get: (id: string, call?: CallOptions) => get<'conversations.get'>(one(id), undefined, call),
      update: (id: string, body: ConversationPatch, call?: CallOptions) =>
        ask<'conversations.update'>({ method: 'PATCH', path: one(id), body, safe: true }, call),
      remove: (id: string, call?: CallOptions) =>
        ask<'conversations.delete'>({ method: 'DELETE', path: one(id) }, call),
      /** All of it as JSON, or a branch as Markdown. */
      export: async (id: string, query: Omit<Input<'conversations.export'>, 'conversation_id'>) =>
        (await caller.send({ path: `${one(id)}/export`, query })).blob(),
      labels: (query: Input<'labels.list'> = {}, call?: CallOptions) =>
        get<'labels.list'>('/api/v1/labels', query, call),
      tree: (id: string, query: TreeQuery = {}, call?: CallOptions) => get<'tree.get'>(`${one(id)}/tree`, query, call),
    },
    messages: {
      list: (id: string, query: MessageQuery = {}, call?: CallOptions) =>
        get<'messages.list'>(`${one(id)}/messages`, query, call),
      get: (id: string, message: string, call?: CallOptions) => get<'messages.get'>(at(id, message), undefined, call),
      append: (id: string, body: AppendRequest, call?: CallOptions) =>
        keyed<'messages.append'>(`${one(id)}/messages`, body, call),
      mark: (id: string, message: string, body: { readonly pinned?: boolean; readonly excluded?: boolean }) =>
        ask<'messages.mark'>({ method: 'PATCH', path: at(id, message), body, safe: true }),
      /** A long path at a glance: up to 2,000 messages at once, a line for each. */
      outline: (id: string, query: MessageQuery = {}, call?: CallOptions) =>
        get<'outline.get'>(`${one(id)}/outline`, query, call),
      rate: (id: string, message: string, body: RatingRequest) =>
        ask<'messages.rate'>({ method: 'PUT', path: `${at(id, message)}/rating`, body, safe: true }),
      redact: (id: string, message: string) => ask<'messages.redact'>({ method: 'DELETE', path: at(id, message) }),
      /** Another version of it, on a branch of its own; with `run` it is answered at once. */
      edit: (id: string, message: string, body: EditRequest) =>
        ask<'messages.edit'>({ method: 'POST', path: `${at(id, message)}/edit`, body }),
      /** A branch that ends before an answer; with `run` another answer begins. */
      regenerate: (id: string, message: string, body: AgainRequest = {}) =>
        ask<'messages.regenerate'>({ method: 'POST', path: `${at(id, message)}/regenerate`, body }),
    },
    blobs: {
      /** The bytes of a file, as they were given. */
      get: async (id: string, blob: string, { signal }: CallOptions = {}) =>
        (await caller.send({ path: `${one(id)}/blobs/${part(blob)}`, ...(signal && { signal }) })).blob(),
    },
    branches: {
      list: (id: string, call?: CallOptions) => get<'branches.list'>(`${one(id)}/branches`, undefined, call),
      /** Those whose path has a message, main first. */
      to: (id: string, message: string, call?: CallOptions) =>
        get<'branches.find'>(`${at(id, message)}/branches`, undefined, call),
      set: (id: string, branch: string, body: { readonly head_id: string | null; readonly expect: string | null }) =>
        ask<'branches.set'>({ method: 'PUT', path: `${one(id)}/branches/${part(branch)}`, body }),
      rename: (id: string, branch: string, name: string) =>
        ask<'branches.rename'>({ method: 'PATCH', path: `${one(id)}/branches/${part(branch)}`, body: { name } }),
      remove: (id: string, branch: string) =>
        ask<'branches.delete'>({ method: 'DELETE', path: `${one(id)}/branches/${part(branch)}` }),
      fork: (id: string, body: { readonly at: string | null; readonly branch?: string }) =>
        ask<'branches.fork'>({ method: 'POST', path: `${one(id)}/fork`, body }),
    },
    runs: {
      start: (id: string, body: RunRequest, call?: CallOptions) => keyed<'runs.start'>(`${one(id)}/runs`, body, call),
      list: (id: string, query: Paging = {}, call?: CallOptions) => get<'runs.list'>(`${one(id)}/runs`, query, call),
      get: (id: string, run: string, call?: CallOptions) => get<'runs.get'>(running(id, run), undefined, call),
      /** Allows or denies a call that waits; `next` is the run that goes on, once no other waits. */
      decide: (id: string, run: string, decision: Decision) =>
        ask<'runs.decide'>({ method: 'POST', path: `${running(id, run)}/decide`, body: decision }),
      /** Lets a run go on that was stopped, cut off or reached a limit. */
      resume: (id: string, run: string) => ask<'runs.resume'>({ method: 'POST', path: `${running(id, run)}/resume` }),
      stop: (id: string, run: string) =>
        ask<'runs.stop'>({ method: 'POST', path: `${running(id, run)}/stop`, safe: true }),
      /** A run to its end, each event once. */
      follow: (id: string, run: string, options: FollowOptions = {}) =>
        followEvents(caller, `${running(id, run)}/events`, run, options),
    },
    /** All that happens in a conversation, each event once, until the signal. */
    follow: (id: string, options: FollowOptions = {}) => followEvents(caller, `${one(id)}/events`, null, options),
    receipts: {
      list: (id: string, query: Paging = {}, call?: CallOptions) =>
        get<'receipts.list'>(`${one(id)}/receipts`, query, call),
      get: (receipt: string, call?: CallOptions) =>
        get<'receipts.get'>(`${receipts}/${part(receipt)}`, undefined, call),
      diff: (receipt: string, other: string, call?: CallOptions) =>
        get<'receipts.diff'>(`${receipts}/${part(receipt)}/diff/${part(other)}`, undefined, call),
      replay: (receipt: string, call?: CallOptions) =>
        ask<'receipts.replay'>({ method: 'POST', path: `${receipts}/${part(receipt)}/replay`, safe: true }, call),
      /** The window as it would have been with other settings; nothing is sent and nothing is kept. */
      whatIf: (receipt: string, body: WhatIf, call?: CallOptions) =>
        ask<'receipts.what_if'>(
          { method: 'POST', path: `${receipts}/${part(receipt)}/what-if`, body, safe: true },
          call,
        ),
    },
    shares: {
      create: (id: string, body: NewShare = {}) =>
        ask<'shares.create'>({
          method: 'POST',
          path: `${one(id)}/shares`,
          body,
        }),
      list: (id: string, query: Paging = {}) => get<'shares.list'>(`${one(id)}/shares`, query),
      revoke: (id: string, share: string) =>
        ask<'shares.revoke'>({ method: 'DELETE', path: `${one(id)}/shares/${part(share)}` }),
    },
    /** What is known beyond one conversation. */
    memories: {
      list: (query: Input<'memories.list'> = {}, call?: CallOptions) => get<'memories.list'>(memories, query, call),
      add: (body: NewMemory) => ask<'memories.add'>({ method: 'POST', path: memories, body }),
      /** Notes drawn from a conversation; only those that are new. */
      derive: (id: string, body: Omit<Input<'memories.derive'>, 'conversation_id'> = {}) =>
        ask<'memories.derive'>({ method: 'POST', path: `${one(id)}/memories`, body }),
      correct: (id: string, body: MemoryPatch) =>
        ask<'memories.correct'>({ method: 'PATCH', path: `${memories}/${part(id)}`, body }),
      remove: (id: string) => ask<'memories.delete'>({ method: 'DELETE', path: `${memories}/${part(id)}` }),
    },
    /** What a model would get, and why; nothing is kept. */
    assemble: (body: AssembleRequest, call?: CallOptions) =>
      ask<'windows.assemble'>({ method: 'POST', path: '/api/v1/context/assemble', body, safe: true }, call),
    search: (query: SearchQuery, call?: CallOptions) => get<'messages.search'>('/api/v1/search', query, call),
    usage: (query: Input<'usage.get'> = {}) => get<'usage.get'>('/api/v1/usage', query),
    system: (call?: CallOptions) => get<'getSystem'>('/api/v1/system', undefined, call),
    /** Models that are connected while the service runs; for its operator. */
    connections: {
      list: (call?: CallOptions) => get<'connections.list'>(connections, undefined, call),
      test: (body: NewConnection, call?: CallOptions) =>
        ask<'connections.test'>({ method: 'POST', path: `${connections}/test`, body }, call),
      add: (body: NewConnection) => ask<'connections.add'>({ method: 'POST', path: connections, body }),
      models: (id: string, call?: CallOptions) =>
        get<'offers.list'>(`${connections}/${part(id)}/models`, undefined, call),
      remove: (id: string) => ask<'connections.remove'>({ method: 'DELETE', path: `${connections}/${part(id)}` }),
      /** The model that answers when none is named. */
      use: (model: string) =>
        ask<'models.use'>({ method: 'PUT', path: '/api/v1/models/usual', body: { model }, safe: true }),
    },
    /** The tools that an agent may call now. */
    tools: (call?: CallOptions) => get<'tools.list'>('/api/v1/tools', undefined, call),
    /** Where they come from; for the operator of the service. */
    toolServers: {
      list: (call?: CallOptions) => get<'tool_servers.list'>(toolServers, undefined, call),
      test: (body: NewToolServer, call?: CallOptions) =>
        ask<'tool_servers.test'>({ method: 'POST', path: `${toolServers}/test`, body }, call),
      add: (body: NewToolServer) => ask<'tool_servers.add'>({ method: 'POST', path: toolServers, body }),
      check: (server: string, call?: CallOptions) =>
        get<'tool_servers.check'>(`${toolServers}/${part(server)}/tools`, undefined, call),
      /** Which calls run at once, are asked about or refused; by tools, or for all. */
      allow: (server: string, body: Omit<Input<'tool_servers.allow'>, 'server'>) =>
        ask<'tool_servers.allow'>({ method: 'PATCH', path: `${toolServers}/${part(server)}`, body, safe: true }),
      remove: (server: string) =>
        ask<'tool_servers.remove'>({ method: 'DELETE', path: `${toolServers}/${part(server)}` }),
    },
    /** Every conversation, as an archive that `import` reads. */
    exportAll: async () => (await caller.send({ path: '/api/v1/export' })).blob(),
    /** Conversations of a file: what became of each, and the report; `dry_run` only says what would. */
    import: async (
      file: Blob,
      query: { readonly name: string; readonly dry_run?: boolean },
      call: CallOptions = {},
    ) => {
      const { signal } = call
      const sent = await caller.send({ method: 'POST', path: '/api/v1/import', query, file, ...(signal && { signal }) })
      const lines = (await sent.text()).split('\n').filter(Boolean)
      return lines.map((line) => JSON.parse(line) as Output<'transfer.import'>)
    },
    models: () => get<'models.list'>('/api/v1/models'),
    policies: () => get<'policies.list'>('/api/v1/policies'),
    /** One message of a session, and its answer. */
    chat: (body: ChatRequest, call?: CallOptions) => keyed<'chat'>('/chat', body, call),
    /** One question with its history in hand, answered as a stream; the service keeps nothing of it. */
    query: (body: QueryRequest, { signal }: Pick<CallOptions, 'signal'> = {}) => query(caller, body, signal),
  }
}

const part = encodeURIComponent
const all = '/api/v1/conversations'
const receipts = '/api/v1/receipts'
const memories = '/api/v1/memories'
const connections = '/api/v1/connections'
const toolServers = '/api/v1/tool-servers'
const one = (id: string): string => `${all}/${part(id)}`
const at = (id: string, message: string): string => `${one(id)}/messages/${part(message)}`
const running = (id: string, run: string): string => `${one(id)}/runs/${part(run)}`
