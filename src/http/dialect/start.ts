/** From a client's request to a run: where it goes on, and what is written of it. */
import { defined } from '../../core/message/defined.js'
import { HistoryError } from '../../core/message/issue.js'
import { marksOf } from '../../engine/window/entries.js'
import type { RunRequest } from '../../runs/contract.js'
import { settingsIn } from '../../runs/settings.js'
import type { Store } from '../../store/contract/store.js'
import { conversationAt, historyAt } from '../history/open.js'
import type { Context } from '../kit/context.js'
import { keptDesk, layOut, scratch, scratchDesk } from './desk.js'
import { ensure, giveTitle } from './title.js'
import { type Turn, turnOf } from './turn.js'

export type TalkPlace =
  /** Nothing is kept; `after` names what came before, if anything did. */
  | { readonly kind: 'nowhere'; readonly after?: { readonly conversation: string; readonly entry: string | null } }
  /** A conversation of its own begins, or goes on at the head of a branch. */
  | { readonly kind: 'head'; readonly conversation: string; readonly branch?: string }
  /** It follows an entry: on its branch while that ends there, on a new one otherwise. */
  | {
      readonly kind: 'after'
      readonly conversation: string
      readonly branch: string
      readonly entry: string | null
    }
  /** The client sends all it has: what is known is found, what is new is written, what differs is a branch. */
  | { readonly kind: 'history'; readonly conversation: string }

/** What the client says and how it is to be answered. Its tools stay its own: calls are told to it, it tells the results. */
export interface Ask
  extends Pick<
    RunRequest,
    | 'model'
    | 'system'
    | 'tools'
    | 'output'
    | 'temperature'
    | 'settings'
    | 'overrides'
    | 'budget'
    | 'usualPolicy'
    | 'key'
  > {
  readonly messages: readonly unknown[]
}

type Asked = Pick<Context, 'frame' | 'request' | 'workspace' | 'id'>

export async function startTurn(asked: Asked, place: TalkPlace, ask: Ask): Promise<Turn> {
  switch (place.kind) {
    case 'nowhere':
      return inScratch(asked, place, ask)
    case 'head': {
      await giveTitle(asked, place.conversation, ask.messages)
      const started = await asked.frame.runs.start(requestOf(asked, place, ask, 'queue'))
      return turnOf(asked, keptDesk(asked.frame), started)
    }
    case 'after':
      return follow(asked, place, ask)
    case 'history': {
      const { conversation } = place
      await ensure(asked, conversation, ask.messages)
      const history = await historyAt(asked, conversation)
      const { branch, head } = await history.reconcile(ask.messages, { later: 'fork' })
      return follow(asked, { conversation, branch, entry: head }, { ...ask, messages: [] })
    }
  }
}

interface Spot {
  readonly conversation: string
  readonly branch: string
  readonly entry: string | null
}

/** Two that follow the same entry at once are two branches. */
async function follow(asked: Asked, spot: Spot, ask: Ask): Promise<Turn> {
  const { frame } = asked
  const desk = keptDesk(frame)
  const { conversation, branch, entry } = spot
  try {
    const request = { ...requestOf(asked, spot, ask, 'refuse'), expect: entry }
    return await turnOf(asked, desk, await frame.runs.start(request))
  } catch (error) {
    if (!HistoryError.is(error) || !['busy', 'head_moved'].includes(error.code)) throw error
  }
  const history = await historyAt(asked, conversation)
  const { name } = await history.fork(entry, `${branch.slice(0, 100)}-${frame.env.id()}`)
  const started = await frame.runs.start(requestOf(asked, { conversation, branch: name }, ask, 'queue'))
  return turnOf(asked, desk, started)
}

async function inScratch(asked: Asked, { after }: TalkPlace & { kind: 'nowhere' }, ask: Ask): Promise<Turn> {
  const { frame } = asked
  const desk = scratchDesk(frame)
  const settings = await layOutAfter(asked, desk.store, after)
  const { key: _, ...rest } = requestOf(asked, { conversation: scratch }, ask, 'refuse')
  const started = await desk.runs.start({ ...settings, ...rest })
  const close = () => void desk.runs.drain(0)
  frame.closing.addEventListener('abort', close, { once: true })
  void started.ended.catch(() => {}).finally(() => frame.closing.removeEventListener('abort', close))
  return turnOf(asked, desk, started)
}

type Settings = Partial<Pick<RunRequest, 'model' | 'policy' | 'system' | 'recall' | 'budget'>>

/** What came before, with what people marked of it, in a store of its own; returns the settings of its conversation. */
export async function layOutAfter(
  asked: Pick<Context, 'frame' | 'workspace'>,
  store: Store,
  after: { readonly conversation: string; readonly entry: string | null } | undefined,
): Promise<Settings> {
  const { frame, workspace } = asked
  const { conversation, entry } = after ?? { conversation: null, entry: null }
  const found = conversation === null ? null : await conversationAt(asked, conversation)
  const path = found && entry !== null ? await frame.store.path(workspace, found.id, entry) : []
  const marks = found ? await marksOf(frame.sources(workspace, found.id)) : []
  await layOut(store, workspace, path, marks, frame.env.now())
  return defined<Settings>(settingsIn(found))
}

function requestOf(
  { workspace, id }: Asked,
  { conversation, branch }: { readonly conversation: string; readonly branch?: string },
  { messages, ...rest }: Ask,
  whenBusy: 'refuse' | 'queue',
): RunRequest {
  return defined<RunRequest>({
    ...rest,
    workspace,
    conversation,
    branch,
    message: messages.length === 0 ? undefined : messages,
    whenBusy,
    trace: id,
  })
}
