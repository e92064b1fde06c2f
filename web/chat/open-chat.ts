/** One branch of one conversation, as it stands and as it grows. */
import type { Event, Message, Run } from '../../src/client/index.js'
import { api } from '../api.js'
import { heedMarks, tellMark } from '../mark.js'
import { goTo } from '../place.js'
import { isCounted } from '../receipt/saw.js'
import { type Box, boxOf, inTurn } from './box.js'
import { followConversation } from './follow-conversation.js'
import { hear, type Live, liveBox, nothing } from './live.js'
import { withEarlier, withNewest } from './pages.js'
import { receiptsOf, withOlder } from './receipts.js'
import { type ChatState, empty, has, isLost, isOver } from './state.js'

export interface Chat {
  readonly id: string
  readonly branch: string
  readonly state: Box<ChatState>
  readonly live: Box<Live>
  /** Loads and follows until the returned function is called. */
  begin(): () => void
  refresh(): Promise<void>
  earlier(): Promise<void>
  /** Loads the receipts before those that are here. */
  olderReceipts(): Promise<void>
  /** Loads back to a message. */
  reach(message: string): Promise<void>
  /** Another state of a message that is here. */
  replace(message: Message): void
  /** Loads the tree, or what was added to it. */
  grow(): Promise<void>
  /** A run that was asked for here just now is told with the conversation. */
  watch(run: Run, isNew?: boolean): void
}

const pageSize = 60
const farSize = 100
const receiptPage = 20

export function openChat(id: string, branch: string, changed: () => void, known?: ChatState): Chat {
  const { conversation = null, branches = [], nodes = [] } = known ?? {}
  const state = boxOf({ ...empty, conversation, branches, nodes })
  const live = liveBox()
  let signal = new AbortController().signal
  /** The run whose events come with those of the conversation; others are read from their beginning. */
  let told: string | null = null
  let lineOpen = false
  let first: Promise<void> = Promise.resolve()
  const looked = new Set<string>()

  const refresh = inTurn(async () => {
    const [conversation, page, { items: branches }, receipts, runs] = await Promise.all([
      api.conversations.get(id, { signal }),
      api.messages.list(id, { branch, limit: pageSize }, { signal }),
      api.branches.list(id, { signal }),
      api.receipts.list(id, { limit: receiptPage }, { signal }),
      api.runs.list(id, { limit: 10 }, { signal }),
    ])
    if (signal.aborted) return
    const held = withNewest(state.get(), page)
    const shown = new Set(page.items.map((message) => message.id))
    const receipt =
      receipts.items.find((one) => one.message_id !== null && shown.has(one.message_id) && isCounted(one)) ?? null
    const kept = state.get().receipt
    state.set({
      ...held,
      conversation,
      branches,
      receipt: kept?.id === receipt?.id ? kept : receipt,
      error: null,
      runs: runs.items,
      receipts: receiptsOf(state.get().receipts, receipts),
    })
    settle(runs.items.filter((run) => run.branch === branch))
    if (branches.length > 1 || state.get().nodes.length > 0) void grow().catch(fail)
  })

  /** What the runs of this branch say that is not in the log yet. */
  const settle = (runs: readonly Run[]): void => {
    const [last] = runs
    const active = runs.find((run) => !isOver(run))
    if (active) watch(active)
    else if (last && isLost(last)) state.set({ run: last })
    // one that is not among them was asked for after they were
    else if (runs.some(({ id }) => id === state.get().run?.id)) {
      told = null
      state.set({ run: null })
      live.set(nothing)
    }
  }

  const watch = (run: Run, isNew = false): void => {
    const before = state.get().run
    if (before?.id === run.id) {
      state.set({ run })
      return
    }
    // it waits for the one that is shown
    if (before && !isOver(before) && run.state === 'queued') return
    if (isNew && lineOpen) told = run.id
    live.set(nothing)
    state.set({ run })
    if (told !== run.id) void catchUp(run).catch(fail)
  }

  /** A run that had begun before anyone looked: from its first word to its last. */
  const catchUp = async (run: Run): Promise<void> => {
    const leaving = signal
    for await (const event of api.runs.follow(id, run.id, { signal: leaving })) {
      if (state.get().run?.id !== run.id) return
      hear(live, event)
      if (event.type === 'run-ended') await ended(event.data.run)
    }
  }

  const ended = async (run: Run): Promise<void> => {
    if (state.get().run?.id === run.id) state.set({ run })
    await refresh()
    changed()
  }

  /** What goes on on other branches; this one may have got another name. */
  const lookBeside = inTurn(async () => {
    const { items: branches } = await api.branches.list(id, { signal })
    if (signal.aborted) return
    const head = state.get().messages?.at(-1)?.id
    const isGone = branch !== 'main' && !branches.some(({ name }) => name === branch)
    if (isGone) return goTo(id, branches.find(({ head_id }) => head_id === head)?.name)
    state.set({ branches })
    if (branches.length > 1) await grow()
  })

  const fail = (error: unknown): void => {
    if (!signal.aborted) state.set({ error })
  }

  const heard = (event: Event): void => {
    const of = runOf(event)
    if (event.type === 'run-started' && event.data.run.branch === branch) {
      // this line tells it from its first word on
      if (state.get().run?.id !== event.data.run.id) told = event.data.run.id
      watch(event.data.run)
    } else if (event.type === 'run-ended') {
      if (event.data.run.id === told) void ended(event.data.run).catch(fail)
    } else if (of !== null) {
      if (of === told) hear(live, event)
      // a run whose beginning was missed is looked for once
      else if (state.get().run?.id !== of && !looked.has(of)) {
        looked.add(of)
        void refresh().catch(fail)
      }
    } else if (event.type === 'entry-marked') {
      void lookAgain(event.data.entry).catch(fail)
    } else if ('branch' in event.data && event.data.branch !== branch) {
      void lookBeside().catch(fail)
    } else {
      void refresh()
        .then(() => state.set({ sending: null }))
        .catch(fail)
      if (event.type === 'conversation-changed') changed()
    }
  }

  /** Someone thought otherwise of a message, here or elsewhere. */
  const lookAgain = async (message: string): Promise<void> => {
    if (has(state.get().messages, message)) tellMark(id, await api.messages.get(id, message, { signal }))
  }

  /** What was said between the first look and the opening of the line. */
  const catchHead = async (): Promise<void> => {
    const { head_id } = await api.messages.list(id, { branch, limit: 1 }, { signal })
    await first
    if (head_id !== (state.get().messages?.at(-1)?.id ?? null)) await refresh()
  }

  const grow = inTurn(async () => {
    for (;;) {
      const { nodes } = state.get()
      const page = await api.conversations.tree(id, { after: nodes.at(-1)?.seq ?? 0, limit: 200 }, { signal })
      if (page.nodes.length > 0 && !signal.aborted) state.set({ nodes: [...state.get().nodes, ...page.nodes] })
      if (page.next_cursor === null || signal.aborted) return
    }
  })

  const earlier = async (limit = pageSize): Promise<void> => {
    const { cursor } = state.get()
    if (cursor === null) return
    const page = await api.messages.list(id, { branch, before: cursor, limit }, { signal })
    if (state.get().cursor === cursor) state.set(withEarlier(state.get(), page))
  }

  const olderReceipts = inTurn(async () => {
    const { receipts } = state.get()
    if (receipts.cursor === null) return
    const page = await api.receipts.list(id, { limit: receiptPage, cursor: receipts.cursor }, { signal })
    if (!signal.aborted) state.set({ receipts: withOlder(state.get().receipts, page) })
  })

  const replace = (message: Message): void => {
    const { messages } = state.get()
    state.set({ messages: messages?.map((one) => (one.id === message.id ? message : one)) ?? null })
  }

  return {
    id,
    branch,
    state,
    live,
    refresh,
    replace,
    earlier: inTurn(earlier),
    olderReceipts,
    grow,
    watch,
    begin() {
      const leaving = new AbortController()
      signal = leaving.signal
      first = refresh().catch(fail)
      const onLine = (line: 'open' | 'lost', isFirst: boolean): void => {
        if (leaving.signal.aborted) return
        state.set({ line })
        lineOpen = line === 'open'
        if (lineOpen && isFirst) void catchHead().catch(fail)
      }
      followConversation(id, { signal, onLine, heard }).catch(fail)
      const deaf = heedMarks(id, replace)
      return () => {
        deaf()
        leaving.abort()
      }
    },
    async reach(message) {
      const { depth } = await api.messages.get(id, message, { signal })
      while (state.get().cursor !== null && (state.get().messages?.[0]?.depth ?? 0) > depth) await earlier(farSize)
    },
  }
}

function runOf(event: Event): string | null {
  const { run } = event.data as { readonly run?: unknown }
  return typeof run === 'string' ? run : null
}
