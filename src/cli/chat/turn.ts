/** One turn: the message is kept, the answer is told as it comes, and Ctrl-C stops it where it is. */
import { defined } from '../../core/message/defined.js'
import { HistoryError } from '../../core/message/issue.js'
import { upToDate } from '../../core/receipt/older.js'
import type { Receipt } from '../../core/receipt/receipt.js'
import type { KeptReceipt } from '../../runs/ask.js'
import type { Run, RunRequest, Started } from '../../runs/contract.js'
import { conflict, exitOfCode, exits } from '../kit/failure.js'
import { say } from '../kit/sink.js'
import { number, paintFor, printable } from '../kit/term.js'
import { onInterrupt } from './interrupt.js'
import { beginTalk, type Talk } from './talk.js'

interface Turn {
  readonly talk: Talk
  readonly run: Run
  readonly text: string
  /** The exit code, if this was all. */
  readonly exit: number
}

/** `tell` gets the words as they come. */
export async function takeTurn(before: Talk, message: string, tell: (text: string) => void): Promise<Turn> {
  const talk = await beginTalk(before, message)
  const { desk, runs, id, branch, manner } = talk
  const { workspace } = desk
  const { model, policy, recall, system } = manner
  const started = await begin(talk, {
    workspace,
    conversation: id,
    branch,
    message,
    ...defined({ model, policy, recall, system }),
  })
  const release = onInterrupt(() => {
    runs.stop(workspace, id, started.run.id).catch(() => {})
  })
  try {
    const { run, text } = await listen(talk, started, tell)
    return { talk, run, text, exit: ending(run) }
  } finally {
    release()
  }
}

/** An answer that a dead process left open is ended first; one that is alive is waited for by no one. */
async function begin({ runs, desk }: Talk, request: RunRequest): Promise<Started> {
  const isBusy = (error: unknown): boolean => HistoryError.is(error) && error.code === 'busy'
  try {
    return await runs.start(request)
  } catch (error) {
    if (!isBusy(error)) throw error
    await runs.recover([desk.workspace])
    return await runs.start(request).catch((again: unknown) => {
      if (isBusy(again)) throw conflict('an answer is being written in this conversation', 'try again when it is there')
      throw again
    })
  }
}

async function listen(
  { runs, desk, id }: Talk,
  { run, after }: Started,
  tell: (text: string) => void,
): Promise<{ readonly run: Run; readonly text: string }> {
  let text = ''
  const { signal } = new AbortController()
  for await (const told of runs.follow(desk.workspace, id, after, signal)) {
    if (told.type === 'text-delta' && told.data.run === run.id) {
      text += told.data.text
      tell(told.data.text)
    }
    if (told.type === 'run-retried' && told.data.run === run.id)
      say(`${told.data.code}: trying again in ${Math.ceil(told.data.waitMs / 1_000)} s`)
    if (told.type === 'run-ended' && told.data.run.id === run.id) return { run: told.data.run, text }
  }
  throw new Error('nothing more is told of the answer')
}

function ending({ state, error }: Run): number {
  if (state === 'done') return exits.ok
  if (state === 'stopped') return exits.interrupted
  return error === null ? exits.failed : exitOfCode(error.code)
}

/** What there is to say about an answer beside its words: how it ended, and what it saw. */
export async function remarks({ talk, run }: Pick<Turn, 'talk' | 'run'>): Promise<readonly string[]> {
  const saw = await sawIn(talk)
  if (run.state === 'stopped') return ['stopped; what was said so far is kept', ...saw]
  return run.error === null ? saw : [`throughline: ${printable(run.error.message)} (${run.error.code})`, ...saw]
}

/** The figures of the newest receipt, as every other door gives them. */
async function sawIn({ desk, id }: Talk): Promise<readonly string[]> {
  const { items } = await desk.store.receipts(desk.workspace, id, { limit: 1 })
  const [kept] = items
  if (!kept) return []
  const { request, totals } = upToDate((kept.body as KeptReceipt).receipt as Receipt)
  const { sent, of } = request.messages
  const most = request.window === null ? '' : ` of ${number(request.window)}`
  const lost = [
    totals.dropped > 0 && `${number(totals.dropped)} left out`,
    totals.summarised > 0 && `${number(totals.summarised)} only in a summary`,
  ].filter((text) => text !== false)
  const how = lost.length === 0 ? '' : ' (throughline context -c)'
  const line = [`saw ${sent} of ${of} messages`, `${number(request.used)}${most} tokens`, ...lost].join(' · ')
  return [paintFor(process.stderr).dim(line + how)]
}
