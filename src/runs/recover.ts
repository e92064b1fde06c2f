/** Ends the runs of servers that went away: what they had said becomes one aborted message, and the run one that was interrupted. */
import { HistoryError } from '../core/message/issue.js'
import type { Part } from '../core/message/item.js'
import { draftParts } from '../engine/draft.js'
import { openCalls } from '../engine/open-calls.js'
import { messageEntries, resultEntry, type Writing } from '../engine/window/entries.js'
import { entryAdded } from '../engine/window/news.js'
import type { Source } from '../engine/window/window.js'
import type { Step } from '../store/contract/commit.js'
import type { Draft } from '../store/contract/draft.js'
import type { NewEntry } from '../store/contract/entry.js'
import type { StoredEvent } from '../store/contract/event.js'
import type { Store } from '../store/contract/store.js'
import { overSteps, replayAnswer } from './ending.js'
import { interrupted, runIdOf, runOfDraft } from './run.js'
import { unknownResult } from './tools/calls.js'

interface Place {
  readonly store: Store
  readonly workspace: string
  readonly writing: Writing
  readonly leaseSeconds: number
}

/** The conversations in which something was ended. */
export async function recoverRuns({ store, workspace, writing, leaseSeconds }: Place): Promise<string[]> {
  const ended: string[] = []
  for (const draft of await store.claimDrafts(workspace, leaseSeconds)) {
    try {
      await store.commit(workspace, draft.conversation, await lastSteps(store, workspace, draft, writing))
      ended.push(draft.conversation)
    } catch (error) {
      // someone was faster, or the conversation is gone: either way nothing is left to end
      if (!HistoryError.is(error) || !['fenced', 'not_found', 'gone', 'id_conflict'].includes(error.code)) throw error
    }
  }
  return ended
}

async function lastSteps(store: Store, workspace: string, draft: Draft, writing: Writing): Promise<Step[]> {
  const at = writing.env.now()
  const { id, epoch, conversation, branch } = draft
  const body = runOfDraft(draft)
  const parts = body ? await toldParts(store, workspace, draft, body.after) : draftParts(draft)
  const entries = messageEntries(id, { parts, status: 'aborted', at, model: body?.run.model }, writing)
  const [message, ...results] = entries.map((entry) => ({ ...entry, meta: { run: runIdOf(id) } }))
  const says = parts.length > 0 && message
  const last: Step = says
    ? { do: 'promote-draft', promotion: { id, epoch, entries: [message, ...results], at } }
    : { do: 'drop-draft', id, epoch }
  const told = says ? [entryAdded([message, ...results], branch)] : []
  if (!body) return [last, { do: 'emit', events: told, at }]
  const run = interrupted({ ...body.run, conversation }, at, says ? id : body.run.entry)
  const lost = await lostCalls({ store, workspace, conversation }, branch, body.running ?? [], writing)
  return [
    ...lost.map((entry): Step => ({ do: 'append', entries: [entry], options: { branch, at } })),
    last,
    ...overSteps(run, body.request, [...(lost.length > 0 ? [entryAdded(lost, branch)] : []), ...told]),
  ]
}

/** Results for calls that were begun and have none: they may have taken effect, so that nobody runs them again unasked. */
async function lostCalls(
  source: Source,
  branch: string,
  running: readonly string[],
  writing: Writing,
): Promise<readonly NewEntry[]> {
  if (running.length === 0) return []
  const { head } = await source.store.window(source.workspace, source.conversation, branch, { entries: 0 })
  const open = head ? await openCalls(source, head) : []
  return running
    .filter((call) => open.includes(call))
    .map((call) => ({
      ...resultEntry(unknownResult(call, 'the server went away'), writing.env.now(), writing, `${call}.lost`),
      meta: { tool: { state: 'unknown' } },
    }))
}

async function toldParts(store: Store, workspace: string, draft: Draft, after: number | null): Promise<Part[]> {
  if (after === null) return []
  const events: StoredEvent[] = []
  for (let last = after; ; ) {
    const page = await store.events(workspace, draft.conversation, last, 1_000)
    events.push(...page.events)
    const end = page.events.at(-1)
    if (!end) return replayAnswer(runIdOf(draft.id), events)
    last = end.number
  }
}
