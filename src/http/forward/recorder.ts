/** Keeps what passes, beside it: no request waits for its record, and none fails with it. */
import { decode } from '../../core/message/dialects/decode.js'
import { HistoryError } from '../../core/message/issue.js'
import type { Part } from '../../core/message/item.js'
import { type Lru, lru } from '../../core/message/lru.js'
import type { DraftHandle } from '../../engine/draft.js'
import type { History } from '../../engine/history.js'
import { titleOf } from '../../runs/title.js'
import { taskInPrompt } from '../../tasks/prompt.js'
import { historyAt } from '../history/open.js'
import type { Context } from '../kit/context.js'
import type { Asked, Door } from '../kit/door.js'
import { type Read, readAnswer } from './answer.js'
import type { Proofs } from './proofs.js'
import { receiptFor } from './receipt.js'
import { chainOf, isAdded, type Relayed, saidInMessages, spoken } from './said.js'
import type { Session } from './session.js'
import type { Onlooker } from './tap.js'

type At = Pick<Context, 'frame' | 'workspace'>

/** One request that was passed on and is being answered. */
export interface Call extends At {
  readonly door: Door
  readonly asked: Asked
  readonly session: Session
  /** `provider/name`. */
  readonly model: string
  readonly issuer: string
  readonly receipt: string
  readonly isStream: boolean
  /** As it was sent. */
  readonly sent: string | Uint8Array
  readonly proofs: Pick<Proofs, 'note'>
  /** Results that were shortened so that it fits. */
  readonly folded: number
}

export interface Recorder {
  /** Never throws. */
  watch(call: Call): Onlooker
  /** When all that was seen so far is kept, or cannot be. */
  settled(): Promise<void>
}

/** Where a conversation has come to. */
interface Talk {
  readonly hashes: readonly string[]
  readonly branch: string
  readonly head: string | null
}

interface Begun {
  readonly history: History
  readonly said: readonly Relayed[]
  readonly branch: string
  readonly head: string | null
}

/** Most bytes of an answer that are read. */
const mostBytes = 32 * 1024 * 1024
/** So often what was said so far is made safe. */
const saveMs = 300

export function openRecorder(): Recorder {
  const talks: Lru<Talk> = lru(2_000)
  const beginnings: Lru<string> = lru(20_000)
  const queues = new Map<string, Promise<unknown>>()
  const pending = new Set<Promise<unknown>>()
  /** Answers that were read to their end and are not all kept yet. */
  const ending = new Set<Promise<unknown>>()
  const follow = (work: Promise<unknown>): void => {
    const quiet = work.catch(() => undefined).finally(() => pending.delete(quiet))
    pending.add(quiet)
  }

  /** One after the other in each conversation. */
  const inTurn = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const next = (queues.get(key) ?? Promise.resolve()).then(work, work)
    const quiet = next.catch(() => undefined).finally(() => queues.get(key) === quiet && queues.delete(key))
    queues.set(key, quiet)
    return next
  }

  const placeOf = async (call: Call, said: readonly Relayed[], chain: readonly string[]): Promise<string> => {
    const { frame, workspace, session } = call
    if (session.isSide) return `${session.conversation ?? session.agent}.side`
    if (session.conversation !== null) return session.conversation
    const last = said.findLastIndex(({ role }) => role === 'assistant')
    const key = last < 0 ? undefined : chain[last]
    if (key !== undefined) {
      const found =
        beginnings.get(`${workspace}\n${key}`) ?? (await frame.store.getRecord(workspace, prefix, key))?.conversation
      if (found) return found
    }
    return continued(call, said) ?? `agent_${frame.env.id()}`
  }

  /** The client told its history anew, beginning with a summary that it got here. */
  const continued = ({ workspace }: Call, said: readonly Relayed[]): string | undefined => {
    const first = said[0] && textIn(partsIn(said[0].raw))
    return first && answers.find((one) => one.workspace === workspace && first.includes(one.text))?.conversation
  }
  const answers: { readonly workspace: string; readonly text: string; readonly conversation: string }[] = []
  const noteAnswer = (workspace: string, conversation: string, parts: readonly Part[]): void => {
    const text = textIn(parts)
      .replace(/^\s*<(\w+)>|<\/\w+>\s*$/g, '')
      .trim()
    if (text.length < 40) return
    answers.unshift({ workspace, text, conversation })
    answers.length = Math.min(answers.length, 200)
  }

  const begin = async (call: Call, conversation: string, said: readonly Relayed[]): Promise<Begun> => {
    await ensure(call, conversation, said)
    const history = await historyAt(call, conversation)
    const key = `${call.workspace}\n${conversation}`
    const talk = talks.get(key)
    const isNext = talk?.hashes.every((hash, i) => said[i]?.hash === hash)
    try {
      if (talk && isNext) {
        const { branch } = talk
        const news = said.slice(talk.hashes.length)
        const done = news.length === 0 ? talk : await history.append(messagesOf(news), { branch, expect: talk.head })
        return { history, said, branch, head: done.head }
      }
    } catch (error) {
      // someone else wrote there: what is known has to be found again
      if (!HistoryError.is(error)) throw error
    }
    const { branch, head } = await history.reconcile(messagesOf(said), {
      later: 'fork',
      strange: 'follow',
      ...(talk && { branch: talk.branch }),
    })
    return { history, said, branch, head }
  }

  const finish = async (
    call: Call,
    { history, said, branch, head }: Begun,
    draft: DraftHandle | null,
    read: Read,
    ms: number,
  ) => {
    const { frame, workspace, model, door } = call
    const answered = saidInMessages(door.answered(read.messages, call.asked))
    const parts = answered.flatMap(({ raw }) => partsIn(raw))
    const { isWhole } = read
    const entry = parts.length === 0 ? null : await close(history, draft, parts, { branch, head, model, isWhole })
    const all = [...said, ...answered]
    talks.set(`${workspace}\n${history.id}`, { hashes: all.map(({ hash }) => hash), branch, head: entry ?? head })
    noteAnswer(workspace, history.id, parts)
    const at = frame.env.now()
    await frame.store.putReceipt(
      workspace,
      await receiptFor(call, { conversation: history.id, entry, at, usage: read.usage, messages: said.length, ms }),
    )
    const key = call.session.conversation === null && !call.session.isSide ? chainOf(all).at(-1) : undefined
    if (key === undefined) return
    beginnings.set(`${workspace}\n${key}`, history.id)
    await frame.store.putRecord(workspace, { kind: prefix, id: key, conversation: history.id, body: { entry }, at })
  }

  return {
    settled: async () => {
      while (pending.size > 0) await Promise.all(pending)
    },
    watch(call) {
      const began = performance.now()
      const chunks: Uint8Array[] = []
      let size = 0
      let draft: DraftHandle | null = null
      let saved = 0
      const bytes = () => Buffer.concat(chunks)
      // the client has its first byte before anything of the record is read
      const reading = new Promise((resolve) => setImmediate(resolve)).then(() =>
        saidInMessages(call.door.history(call.asked)),
      )
      const failed = (error: unknown) => {
        clearInterval(timer)
        const code = HistoryError.is(error) ? error.code : error instanceof Error ? error.name : 'unknown'
        call.frame.log({ level: 'warn', event: 'record-failed', code, model: call.model })
      }
      // who asks again has read what came before: that has its place first
      const earlier = [...ending]
      const begun = reading.then(async (said) => {
        await Promise.allSettled(earlier)
        const chain = call.session.conversation === null ? chainOf(said) : []
        const conversation = await placeOf(call, said, chain)
        const key = `${call.workspace}\n${conversation}`
        return { key, ...(await inTurn(key, () => begin(call, conversation, said))) }
      })
      begun.catch(failed)
      follow(begun)
      const save = async (): Promise<void> => {
        if (size === saved) return
        saved = size
        const { history, branch } = await begun
        const parts = call.door
          .answered(readAnswer(call.door.wire, bytes(), call.isStream).messages, call.asked)
          .flatMap(partsIn)
        if (parts.length === 0) return
        draft ??= await history.draft({ branch })
        await draft.save(parts)
      }
      let saving = Promise.resolve()
      const timer = setInterval(() => {
        saving = saving.then(save).catch(failed)
      }, saveMs)
      timer.unref()
      return {
        push(chunk) {
          size += chunk.byteLength
          if (size <= mostBytes) chunks.push(chunk)
        },
        end() {
          clearInterval(timer)
          call.proofs.note(call, bytes().toString('utf8'))
          const ms = performance.now() - began
          const done = Promise.all([begun, saving]).then(([one]) =>
            inTurn(one.key, () => finish(call, one, draft, readAnswer(call.door.wire, bytes(), call.isStream), ms)),
          )
          ending.add(done)
          done.catch(failed).finally(() => ending.delete(done))
          follow(done)
        },
      }
    },
  }
}

/** Records that lead from what was said up to an answer to the conversation it was said in. */
const prefix = 'prefix'

async function close(
  history: History,
  draft: DraftHandle | null,
  parts: readonly Part[],
  { branch, head, model, isWhole }: Pick<Begun, 'branch' | 'head'> & Pick<Call, 'model'> & Pick<Read, 'isWhole'>,
): Promise<string> {
  if (draft && isWhole) return (await draft.finish(parts, { model })).head
  if (draft) {
    await draft.save(parts)
    return (await draft.abort()).head
  }
  return (await history.append({ role: 'assistant', parts, model }, { branch, expect: head })).head
}

/** Agents see their sessions by what a person said; side calls are out of the way. */
async function ensure({ frame, workspace, session, model }: Call, id: string, said: readonly Relayed[]): Promise<void> {
  if (await frame.store.get(workspace, id)) return
  const at = frame.env.now()
  const { agent, isSide } = session
  const task = session.task ?? taskInPrompt(openingOf(said))
  const parent = isSide ? session.conversation : session.parent
  const meta = {
    model,
    ...(agent && { agent }),
    ...(parent && { parent }),
    ...(task && { task }),
    ...(isSide && { side: true }),
  }
  try {
    await frame.store.create(workspace, { id, title: isSide ? 'Side calls' : titleIn(said), meta, at })
    if (isSide) await frame.store.update(workspace, id, { archived: true, at })
  } catch (error) {
    if (!HistoryError.is(error) || error.code !== 'id_conflict') throw error
  }
}

export const titleIn = (said: readonly Relayed[]): string => titleOf(openingOf(said))

/** What a person said first. */
function openingOf(said: readonly Relayed[]): string {
  for (const { raw, role } of said) {
    if (role !== 'user') continue
    const text = textIn(spoken(partsIn(raw)).filter((part) => part.type === 'text' && !isAdded(part.text))).trim()
    if (text !== '') return text.replace(/^"([\s\S]*)"$/, '$1')
  }
  return ''
}

const textIn = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')

const partsIn = (raw: unknown): readonly Part[] => {
  const read = decode(raw)
  return read.ok ? read.parts : []
}

/** In our own shape; what the assistant said in several pieces is one message. */
function messagesOf(said: readonly Relayed[]): unknown[] {
  const messages: { role: string; parts: unknown[] }[] = []
  let isOpen = false
  for (const { raw, role } of said) {
    const read = decode(raw)
    if (!read.ok) continue
    const results = read.results.map((result) => ({ type: 'result', ...result }))
    const parts = role === 'assistant' ? read.parts : spoken(read.parts)
    const last = messages.at(-1)
    if (role === 'assistant' && isOpen && last) last.parts.push(...parts)
    else {
      if (results.length > 0) messages.push({ role: 'user', parts: results })
      if (parts.length > 0) messages.push({ role, parts: [...parts] })
    }
    isOpen = role === 'assistant'
  }
  return messages
}
