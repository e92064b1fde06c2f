/** What must hold in the simulated world, after every step and at its end. */
import type { HistoryError } from '../../src/core/message/issue.js'
import type { Run } from '../../src/runs/contract.js'
import type { StoredEvent } from '../../src/store/contract/event.js'
import type { Store } from '../../src/store/contract/store.js'
import { digest } from '../../src/store/shared/runtime.js'

/** A law does not hold. */
export class Broken extends Error {}

export interface Place {
  readonly workspace: string
  readonly conversation: string
}

export interface Said extends Place {
  /** Null for a request to answer what is there. */
  readonly text: string | null
  readonly key: string
}

export interface Known extends Place {
  readonly id: string
  readonly said: Said
}

export function watchLaws(store: Store, workspaces: readonly string[], conversations: readonly string[]) {
  const acknowledged: Said[] = []
  const runs = new Map<string, Known>()
  const byKey = new Map<string, string>()
  const ends = new Map<string, number>()
  const begun = new Set<string>()
  const queued = new Set<string>()
  const waits = new Set<string>()
  const sent = new Map<string, number>()
  const words = new Map<string, string>()
  const heardEnd = new Map<string, string>()
  const seen = new Map<string, number>()
  const nameOf = ({ workspace, conversation }: Place): string => `${workspace}/${conversation}`
  const places = workspaces.flatMap((workspace) => conversations.map((conversation) => ({ workspace, conversation })))

  const expect = (holds: boolean, law: string): void => {
    if (!holds) throw new Broken(law)
  }

  /** Events come numbered without a gap, and a run ends once. */
  const followed = async (place: Place): Promise<void> => {
    const name = nameOf(place)
    for (;;) {
      const after = seen.get(name) ?? 0
      const { events } = await store.events(place.workspace, place.conversation, after, 500)
      if (events.length === 0) return
      events.forEach(({ number }, at) => {
        expect(number === after + at + 1, `event ${after + at + 1} of ${name} is missing`)
      })
      for (const event of events) heard(event)
      seen.set(name, events.at(-1)?.number ?? after)
    }
  }

  const heard = ({ type, data }: StoredEvent): void => {
    const { run, text = '' } = data as { readonly run: Run | string; readonly text?: string }
    const id = typeof run === 'object' ? run.id : run
    if (type === 'text-delta') words.set(id, (words.get(id) ?? '') + text)
    if (type === 'run-queued') queued.add(id)
    if (type === 'run-started') {
      expect(!begun.has(id), `run ${id} began twice`)
      begun.add(id)
    }
    if (type === 'run-ended') {
      ends.set(id, (ends.get(id) ?? 0) + 1)
      expect(ends.get(id) === 1, `run ${id} ended ${ends.get(id)} times`)
      expect(begun.has(id) || (run as Run).state === 'stopped', `run ${id} ended and never began`)
    }
    if (type === 'text-delta') expect(!ends.has(id), `run ${id} spoke after its end`)
  }

  const look = async (place: Place): Promise<void> => {
    await followed(place)
    const drafts = await store.drafts(place.workspace, place.conversation)
    expect(drafts.length <= 1, `${nameOf(place)} has ${drafts.length} answers at once`)
    const line = await store.records(place.workspace, {
      kind: 'queued',
      conversation: place.conversation,
      limit: 100,
    })
    for (const { id, body } of line.items) {
      expect(queued.has(id), `run ${id} is in line, and nobody was told`)
      const { key } = (body as { readonly request: { readonly key: string } }).request
      // who is asked for twice at once may get in line after it ran, and is let go when its turn comes
      const once = sent.get(`${nameOf(place)} ${key}`) === 1
      expect(!once || !begun.has(id), `run ${id} began and is still in line`)
    }
  }

  return {
    acknowledged: (said: Said): void => void acknowledged.push(said),
    sending(said: Said): void {
      const name = `${nameOf(said)} ${said.key}`
      sent.set(name, (sent.get(name) ?? 0) + 1)
    },
    /** An honest request is told that the store cannot be reached, or that someone else is at work, and nothing else. */
    refused({ conversation, key }: Said, { code, message, issues }: HistoryError): void {
      const own = `run_${digest(`${conversation}\n${key}`).slice(0, 32)}`
      expect(['unavailable', 'busy'].includes(code), `the request ${key} was told ${code}: ${message}`)
      expect(issues[0]?.value !== own, `the request ${key} was refused because of itself`)
    },
    isOver: (id: string): boolean => ends.has(id),
    started(said: Said, { id, state }: Pick<Run, 'id' | 'state'>): void {
      if (state === 'queued') waits.add(id)
      const name = `${nameOf(said)} ${said.key}`
      const before = byKey.get(name)
      expect(before === undefined || before === id, `the key ${said.key} stands for ${before} and for ${id}`)
      byKey.set(name, id)
      runs.set(`${nameOf(said)} ${id}`, { ...said, id, said })
    },
    /** What someone who waited for a run was told. */
    ended(said: Said, { id, state }: Run): void {
      const name = `${nameOf(said)} ${id}`
      expect((heardEnd.get(name) ?? state) === state, `run ${id} was told to be ${heardEnd.get(name)} and ${state}`)
      heardEnd.set(name, state)
    },
    anyRun(roll: (below: number) => number): Known | undefined {
      const all = [...runs.values()]
      return all[roll(Math.max(1, all.length))]
    },
    look,
    async isBusy(): Promise<boolean> {
      for (const { workspace, conversation } of places) {
        if ((await store.drafts(workspace, conversation)).length > 0) return true
        if ((await store.records(workspace, { kind: 'queued', conversation, limit: 1 })).items.length > 0) return true
      }
      return false
    },
    /** When nothing is under way any more; returns how many runs there were. */
    async atRest(): Promise<number> {
      const kept = new Map<string, ReadonlyMap<string, string>>()
      for (const place of places) {
        const { workspace, conversation } = place
        await look(place)
        const verdict = await store.verify(workspace, conversation)
        expect(verdict.ok, `${nameOf(place)} does not verify: ${JSON.stringify(verdict)}`)
        const entries = await store.feed(workspace, conversation, 0, 1_000)
        const users = entries.filter(({ body }) => body.kind === 'message' && body.role === 'user')
        const texts = users.map(({ text }) => text)
        kept.set(nameOf(place), new Map(entries.map((entry) => [entry.id, entry.text])))
        expect(new Set(texts).size === texts.length, `${nameOf(place)} has a message twice`)
        for (const text of texts)
          expect(text.startsWith(`${workspace}-${conversation}-`), `${text} stands in ${nameOf(place)}`)
        for (const said of acknowledged)
          if (nameOf(said) === nameOf(place))
            expect(said.text !== null && texts.includes(said.text), `${said.text} was acknowledged and is lost`)
        expect(
          (await store.drafts(workspace, conversation)).length === 0,
          `${nameOf(place)} has an answer that never ends`,
        )
      }
      for (const { workspace, conversation, id, said } of runs.values()) {
        const run = (await store.getRecord(workspace, 'run', id))?.body as { readonly run: Run } | undefined
        expect(run !== undefined, `run ${id} was acknowledged and left no trace`)
        const state = run?.run.state ?? 'active'
        expect(!['active', 'queued'].includes(state), `run ${id} is ${state} for ever`)
        const told = heardEnd.get(`${workspace}/${conversation} ${id}`) ?? state
        expect(told === state, `run ${id} is ${state}, and someone was told ${told}`)
        const texts = kept.get(nameOf({ workspace, conversation })) ?? new Map<string, string>()
        const answer = texts.get(run?.run.entry ?? '') ?? ''
        const spoken = words.get(id) ?? ''
        expect(answer.trim() === spoken.trim(), `run ${id} said "${spoken}", and "${answer}" is kept`)
        expect(!waits.has(id) || queued.has(id), `run ${id} got in line, and nobody was told`)
        expect(ends.get(id) === 1, `run ${id} is ${state} and was told to have ended ${ends.get(id) ?? 0} times`)
        if (said.text !== null && (state !== 'stopped' || run?.run.asked))
          expect([...texts.values()].includes(said.text), `${said.text} was asked and is lost`)
      }
      return runs.size
    },
  }
}
