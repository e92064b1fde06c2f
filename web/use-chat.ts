/** One branch of one conversation, as it stands and as it grows. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Branch, Conversation, KeptReceipt, Message, Run, RunSettings, TreeNode } from '../src/client/index.js'
import { api } from './api.js'
import { goTo } from './place.js'

/** An answer that is being made, or that has ended without one. */
export interface Live {
  readonly run: Run
  readonly text: string
  readonly think: string
  readonly calls: readonly string[]
  readonly retried: boolean
}

export interface Chat {
  readonly conversation: Conversation | null
  readonly messages: readonly Message[] | null
  readonly branches: readonly Branch[]
  readonly nodes: readonly TreeNode[]
  readonly receipt: KeptReceipt | null
  readonly live: Live | null
  readonly sending: string | null
  readonly error: unknown
  readonly line: 'open' | 'lost'
  readonly hasEarlier: boolean
  earlier(): Promise<void>
  say(text: string, settings: RunSettings): Promise<void>
  stop(): void
  edit(message: Message, text: string, settings: RunSettings): Promise<void>
  again(message: Message, settings: RunSettings): Promise<void>
  retry(settings: RunSettings): Promise<void>
  /** Shows another version of a message, wherever its branch has gone since. */
  show(node: string): Promise<void>
  rate(message: Message, value: -1 | 0 | 1): Promise<void>
  settle(conversation: Conversation): void
  forgive(): void
}

interface Held {
  readonly conversation: Conversation | null
  readonly messages: readonly Message[] | null
  readonly cursor: string | null
  readonly branches: readonly Branch[]
  readonly nodes: readonly TreeNode[]
  readonly receipt: KeptReceipt | null
}

const empty: Held = { conversation: null, messages: null, cursor: null, branches: [], nodes: [], receipt: null }
const pageSize = 60
const isOver = ({ state }: Run): boolean => state !== 'active' && state !== 'queued'

export function useChat(id: string, branch: string, target: string | null, changed: () => void): Chat {
  const [held, setHeld] = useState(empty)
  const [live, setLive] = useState<Live | null>(null)
  const [sending, setSending] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [line, setLine] = useState<'open' | 'lost'>('open')
  const followed = useRef(new Set<string>())
  const alive = useRef(new AbortController())
  const size = useRef(pageSize)

  const load = useCallback(
    async (signal: AbortSignal) => {
      const [conversation, page, branches, receipts, runs] = await Promise.all([
        api.conversations.get(id, { signal }),
        api.messages.list(id, { branch, limit: Math.min(100, size.current) }, { signal }),
        api.branches.list(id, { signal }),
        api.receipts.list(id, { limit: 10 }, { signal }),
        api.runs.list(id, { limit: 5 }, { signal }),
      ])
      const nodes = branches.items.length > 1 ? await wholeTree(id, signal) : []
      if (signal.aborted) return null
      const shown = new Set(page.items.map((message) => message.id))
      const receipt = receipts.items.find(({ message_id }) => message_id !== null && shown.has(message_id)) ?? null
      setHeld((before) => ({
        conversation,
        messages: joined(before.messages, page.items),
        cursor: startOf(before, page.items) ?? page.next_cursor,
        branches: branches.items,
        nodes,
        receipt,
      }))
      setError(null)
      return { shown, runs: runs.items.filter((run) => run.branch === branch) }
    },
    [id, branch],
  )

  /** A run from its beginning to its end, however often the page was loaded meanwhile. */
  const watch = useCallback(
    async (run: Run, signal: AbortSignal) => {
      if (followed.current.has(run.id) || run.branch !== branch) return
      followed.current.add(run.id)
      let now: Live = { run, text: '', think: '', calls: [], retried: false }
      let frame = 0
      const draw = (): void => {
        frame ||= requestAnimationFrame(() => {
          frame = 0
          if (!signal.aborted) setLive(now)
        })
      }
      draw()
      try {
        for await (const event of api.runs.follow(id, run.id, { signal })) {
          if (event.type === 'run-started' || event.type === 'run-ended') now = { ...now, run: event.data.run }
          else if (event.type === 'text-delta') now = { ...now, text: now.text + event.data.text, retried: false }
          else if (event.type === 'think-delta') now = { ...now, think: now.think + event.data.text }
          else if (event.type === 'call-made') now = { ...now, calls: [...now.calls, event.data.name] }
          else if (event.type === 'run-retried') now = { ...now, text: '', retried: true }
          draw()
        }
      } catch (error) {
        if (!signal.aborted) setError(error)
      }
      if (signal.aborted) return
      const seen = await load(signal).catch(() => null)
      cancelAnimationFrame(frame)
      const answered = now.run.message_id !== null && seen?.shown.has(now.run.message_id)
      const told = now.run.state === 'failed' || now.run.state === 'interrupted'
      setLive(answered && !told ? null : told ? now : null)
      changed()
    },
    [id, branch, load, changed],
  )

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    alive.current = leaving
    followed.current = new Set()
    size.current = target === null ? pageSize : 100
    setHeld(empty)
    setLive(null)
    setSending(null)
    setError(null)
    const fail = (error: unknown): void => {
      if (!signal.aborted) setError(error)
    }
    const begin = async (): Promise<void> => {
      const found = await load(signal)
      const [last] = found?.runs ?? []
      const active = found?.runs.find((run) => !isOver(run))
      if (active) return watch(active, signal)
      if (last && (last.state === 'failed' || last.state === 'interrupted') && last.message_id === null)
        setLive({ run: last, text: '', think: '', calls: [], retried: false })
    }
    const listen = async (): Promise<void> => {
      let begun = false
      const onLine = (state: 'open' | 'lost'): void => {
        if (signal.aborted) return
        setLine(state)
        // what stands is read once the line is there, so that nothing falls between the two
        if (state === 'open' && !begun) {
          begun = true
          begin().catch(fail)
        }
      }
      for await (const event of api.follow(id, { signal, onLine })) {
        if (event.type === 'run-started') void watch(event.data.run, signal)
        else if (event.type === 'entry-added' || event.type === 'branch-moved') {
          await load(signal)
          setSending(null)
        } else if (event.type === 'conversation-changed') {
          await load(signal)
          changed()
        }
      }
    }
    listen().catch(fail)
    return () => leaving.abort()
  }, [id, target, load, watch, changed])

  /** Something that is answered: the error is shown, and what was written is not lost. */
  const asking = async (work: () => Promise<Run | null>): Promise<void> => {
    const { signal } = alive.current
    setError(null)
    setLive(null)
    try {
      const run = await work()
      if (run) void watch(run, signal)
      changed()
    } catch (error) {
      setSending(null)
      setError(error)
      throw error
    }
  }

  return {
    ...held,
    live,
    sending,
    error,
    line,
    hasEarlier: held.cursor !== null,
    async earlier() {
      if (held.cursor === null) return
      const page = await api.messages.list(id, { branch, before: held.cursor, limit: pageSize })
      setHeld((before) => ({
        ...before,
        messages: [...page.items, ...(before.messages ?? [])],
        cursor: page.next_cursor,
      }))
    },
    say: (text, settings) =>
      asking(async () => {
        setSending(text)
        return (await api.runs.start(id, { ...settings, message: text, branch, when_busy: 'queue' })).run
      }),
    stop() {
      if (live && !isOver(live.run)) void api.runs.stop(id, live.run.id).catch(setError)
    },
    edit: (message, text, settings) =>
      asking(async () => {
        const edited = await api.messages.edit(id, message.id, { message: text, run: settings })
        goTo(id, edited.branch)
        return null
      }),
    again: (message, settings) =>
      asking(async () => {
        const made = await api.messages.regenerate(id, message.id, { run: settings })
        goTo(id, made.name)
        return null
      }),
    retry: (settings) => asking(async () => (await api.runs.start(id, { ...settings, branch })).run),
    async show(node) {
      const found = leafOf(node, held.nodes, held.branches)
      if (found.branch) return goTo(id, found.branch)
      goTo(id, (await api.branches.fork(id, { at: found.leaf })).name)
    },
    async rate(message, value) {
      const rating = await api.messages.rate(id, message.id, { value })
      setHeld((before) => ({
        ...before,
        messages: before.messages?.map((one) => (one.id === message.id ? { ...one, rating } : one)) ?? null,
      }))
    },
    settle: (conversation) => setHeld((before) => ({ ...before, conversation })),
    forgive: () => {
      setError(null)
      setLive(null)
    },
  }
}

/** Newer pages replace what they overlap with; earlier messages that were asked for stay. */
function joined(before: readonly Message[] | null, page: readonly Message[]): readonly Message[] {
  const first = page[0]
  const at = first ? (before?.findIndex(({ id }) => id === first.id) ?? -1) : -1
  return at > 0 && before ? [...before.slice(0, at), ...page] : page
}

function startOf({ messages, cursor }: Held, page: readonly Message[]): string | null {
  const first = page[0]
  return first && messages?.some(({ id }, at) => at > 0 && id === first.id) ? cursor : null
}

async function wholeTree(id: string, signal: AbortSignal): Promise<readonly TreeNode[]> {
  const nodes: TreeNode[] = []
  let after = 0
  for (let page = 0; page < 25; page++) {
    const { nodes: found, next_cursor } = await api.conversations.tree(id, { after, limit: 200 }, { signal })
    nodes.push(...found)
    if (next_cursor === null) break
    after = Number(next_cursor)
  }
  return nodes
}

/** The newest end below a message, and the branch that points there. */
function leafOf(node: string, nodes: readonly TreeNode[], branches: readonly Branch[]) {
  const below = new Set([node])
  for (const one of nodes) if (one.parent_id !== null && below.has(one.parent_id)) below.add(one.id)
  const found = branches
    .filter(({ head_id }) => head_id !== null && below.has(head_id))
    .sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1))[0]
  const leaf = nodes.filter(({ id }) => below.has(id)).at(-1)?.id ?? node
  return { branch: found?.name ?? null, leaf }
}
