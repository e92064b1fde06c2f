/** The demo of a first start: its words are written by hand, its windows and receipts are real. */
import { estimator } from '../../core/tokens/estimate.js'
import { type History, openHistory } from '../../engine/history.js'
import type { ModelEvent } from '../../models/wire/contract.js'
import { systemWorkspace } from '../../operations/context.js'
import { openRuns } from '../../runs/runs.js'
import type { Store } from '../../store/contract/store.js'
import { type DemoTurn, demoBranches, summary, system, title, tools, turns } from './script.js'
import { demoSpeaker, spokenWords } from './speaker.js'

export const demoId = 'demo-kyoto'
const workspace = 'default'
/** So little that something has to be left out. */
const budget = 4_000

/** Once in the life of a store, and only while it is empty: a demo that was removed does not come back. */
export async function seedDemo(store: Store, now: number): Promise<boolean> {
  if (await store.getRecord(systemWorkspace, 'demo', demoId)) return false
  if ((await store.list(workspace, { limit: 1 })).items.length > 0) return false
  const at = new Date(now).toISOString()
  // of two servers that start at once, the second finds the mark of the first, and is refused
  await store.putRecord(systemWorkspace, { kind: 'demo', id: demoId, body: {}, at, expect: null })
  await play(store, now)
  return true
}

interface Stage {
  readonly history: History
  id(): string
  /** A message, or none where the branch is answered as it stands; resolves with the answer's id. */
  answer(branch: string, said: readonly ModelEvent[], message?: string): Promise<string>
}

async function play(store: Store, now: number): Promise<void> {
  const env = clockworkOf(now)
  const speaker = demoSpeaker()
  const runs = openRuns({ store, models: speaker.models, env, system })
  const meta = { demo: true }
  await store.create(workspace, { id: demoId, title, tags: ['demo'], meta, at: env.now() })
  const stage: Stage = {
    id: () => `call_${env.id()}`,
    history: await openHistory({ store, workspace, conversation: demoId, env }),
    async answer(branch, said, message) {
      speaker.next(said)
      const asked = message === undefined ? null : { message }
      const { ended } = await runs.start({ workspace, conversation: demoId, branch, budget, tools, ...asked })
      return (await ended).id
    },
  }
  const answers: string[] = []
  for (const turn of turns) {
    answers.push(await converse(stage, 'main', turn))
    if (answers.length === summary.after)
      await summarise(store, stage.history, env, answers[summary.upTo - 1] as string)
  }
  const { edited, again } = demoBranches
  await stage.history.fork(answers[edited.at - 2] as string, edited.name)
  for (const turn of edited.turns) await converse(stage, edited.name, turn)
  await stage.history.regenerate(answers[again.at - 1] as string, again.name)
  await stage.answer(again.name, spokenWords(again.answer))
  // no one asked for these runs: they are not what the workspace used
  for (const day of new Set([now - playedMs, now].map(dayOf)))
    await store.removeRecord(workspace, 'usage', `${demoId}:${day}`)
}

/** A turn: the question, the tools and what they say, the answer. */
async function converse(stage: Stage, branch: string, turn: DemoTurn): Promise<string> {
  const { user, calls = [], answer: text } = turn
  if (calls.length === 0) return stage.answer(branch, spokenWords(text), user)
  const made = calls.map(([name, input, content]) => ({ id: stage.id(), name, input, content }))
  const asked = made.map(({ id, name, input }): ModelEvent => ({ type: 'call', id, name, input }))
  await stage.answer(branch, [...asked, { type: 'finish', reason: 'calls', usage: null }], user)
  await stage.history.append(
    made.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content })),
    { branch },
  )
  return stage.answer(branch, spokenWords(text))
}

async function summarise(store: Store, history: History, env: Clockwork, until: string): Promise<void> {
  const { text } = summary
  const at = env.now()
  const parts = [{ type: 'text', text }] as const
  const tokens = estimator('unknown').count(text)
  const last = await store.entry(workspace, demoId, until)
  const meta = last ? { covers: last.depth + 1, tokens: [last.total, tokens] } : {}
  const entry = { id: env.id(), body: { kind: 'summary', parts, until } as const, text, tokens, at, meta }
  await history.commit([{ do: 'append', entries: [entry], options: { branch: 'main', at } }])
}

type Clockwork = ReturnType<typeof clockworkOf>

const playedMs = 40 * 60_000
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The same ids on every machine, and a time that ends about now. */
function clockworkOf(now: number) {
  let [ids, at] = [0, now - playedMs]
  return {
    id: () => `demo-${++ids}`,
    now: () => {
      at = Math.min(now, at + 15_000)
      return new Date(at).toISOString()
    },
  }
}
