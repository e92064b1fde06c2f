/** What every case stands on: an open store, a workspace of its own, and words to fill it with. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { HistoryError, type StoreCode } from '../../core/message/issue.js'
import { text } from '../../core/message/item.js'
import type { Appended, AppendOptions } from '../../store/contract/append.js'
import type { Body, Entry, NewEntry } from '../../store/contract/entry.js'
import type { Store } from '../../store/contract/store.js'

/** A store under test, and what the suite may do behind its back. */
export interface Opened {
  readonly store: Store
  /** Closes the store and opens again what it left behind; for a store that keeps something. */
  readonly reopen?: () => Promise<Store>
  /** Changes the stored text of one entry behind the store's back. */
  readonly damage?: (workspace: string, conversation: string, entry: string) => Promise<void>
}

export interface Stage extends Opened {
  readonly workspace: string
}

export interface Case {
  readonly name: string
  readonly run: (stage: Stage) => Promise<void>
}

export const at = '2026-01-01T00:00:00.000Z'
/** A time so many seconds after `at`. */
export const later = (seconds: number): string => new Date(Date.parse(at) + seconds * 1_000).toISOString()

export const write = (body: Body, words: string, more: Partial<NewEntry> = {}): NewEntry => ({
  id: randomUUID(),
  body,
  text: words,
  tokens: 1,
  at,
  ...more,
})

export const message = (role: 'user' | 'assistant' | 'system', words: string): Body => ({
  kind: 'message',
  role,
  parts: [text(words)],
  status: 'complete',
})

export const ask = (words: string, more?: Partial<NewEntry>): NewEntry => write(message('user', words), words, more)
export const say = (words: string, more?: Partial<NewEntry>): NewEntry =>
  write(message('assistant', words), words, more)
export const note = (data: unknown, more?: Partial<NewEntry>): NewEntry =>
  write({ kind: 'note', label: 'test', data }, '', more)
export const sum = (until: string, more?: Partial<NewEntry>): NewEntry =>
  write({ kind: 'summary', parts: [text('in short')], until }, 'in short', more)

/** An assistant message that calls a tool once for each id. */
export const call = (...ids: readonly string[]): NewEntry =>
  write(
    {
      kind: 'message',
      role: 'assistant',
      parts: ids.map((id) => ({ type: 'call', id, name: 'look', input: { q: id }, outcome: { state: 'pending' } })),
      status: 'complete',
    },
    '',
  )
export const result = (callId: string, words = 'found'): NewEntry =>
  write({ kind: 'result', callId, state: 'ok', output: [text(words)] }, words)

/** A new conversation; returns its id. */
export async function begin({ store, workspace }: Stage, id: string = randomUUID()): Promise<string> {
  await store.create(workspace, { id, at })
  return id
}

/** Appends to `main`, unless the options say otherwise. */
export const add = (
  { store, workspace }: Stage,
  conversation: string,
  batch: readonly NewEntry[],
  options: Partial<AppendOptions> = {},
): Promise<Appended> => store.append(workspace, conversation, batch, { branch: 'main', at, ...options })

/** Every entry of a conversation, through the feed. */
export async function all({ store, workspace }: Stage, conversation: string): Promise<readonly Entry[]> {
  const out: Entry[] = []
  for (;;) {
    const after = out.at(-1)?.seq ?? 0
    const more = await store.feed(workspace, conversation, after, 1_000)
    if (more.length === 0) return out
    for (const { seq } of more) assert.ok(seq > after, `the feed gives ${seq} after ${after}`)
    out.push(...more)
  }
}

export const headOf = async ({ store, workspace }: Stage, conversation: string, branch = 'main') =>
  (await store.branches(workspace, conversation)).find(({ name }) => name === branch)?.head

export const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)
export const seqs = (rows: readonly { readonly seq: number }[]): number[] => rows.map(({ seq }) => seq)
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

/** The promise must fail with this code; returns the error. */
export async function refused(promise: Promise<unknown>, code: StoreCode): Promise<HistoryError> {
  const error = await promise.then(
    (value) => assert.fail(`expected ${code}, got ${JSON.stringify(value)?.slice(0, 200)}`),
    (reason: unknown) => reason,
  )
  if (error instanceof assert.AssertionError) throw error
  assert.ok(HistoryError.is(error), `expected ${code}, got ${String(error)}`)
  assert.equal(error.code, code, error.message)
  return error
}

/** The codes with which promises failed; null for one that did not. */
export async function codes(promises: readonly Promise<unknown>[]): Promise<(string | null)[]> {
  const settled = await Promise.allSettled(promises)
  return settled.map((one) => {
    if (one.status === 'fulfilled') return null
    if (HistoryError.is(one.reason)) return one.reason.code
    throw one.reason
  })
}

export const rest = (milliseconds: number): Promise<void> => new Promise((wake) => setTimeout(wake, milliseconds))
