/** Writes a run's events as they come: each is durable before anyone sees it, and many share one commit. */
import { HistoryError } from '../core/message/issue.js'
import type { Source } from '../engine/window/window.js'
import type { Step } from '../store/contract/commit.js'
import type { NewEvent, StoredEvent } from '../store/contract/event.js'
import { canonical } from '../store/shared/gate.js'

export interface Scribe {
  /** There is something new: it is written soon, or with what follows at once. */
  nudge(): void
  /** The last commit of the run: what has gathered goes with it. Resolves when it is written, or was lost to another. */
  close(steps: (gathered: readonly NewEvent[]) => readonly Step[]): Promise<void>
  /** Writes nothing more: whoever finds the draft ends it. */
  leave(): void
  /** The number of the newest event that this run wrote. */
  readonly last: number
  /** Whether others told something in this conversation meanwhile. */
  readonly isCrowded: boolean
}

export interface ScribeOptions {
  readonly source: Source
  readonly draft: { readonly id: string; readonly epoch: number }
  readonly leaseSeconds: number
  /** The number of the newest event so far. */
  readonly last: number
  readonly now: () => string
  readonly gather: () => readonly NewEvent[]
  /** What the draft carries from its first words on. */
  readonly body: (after: number) => unknown
  /** The run is no longer ours: another server took it over, or the conversation is gone. */
  readonly lost: (error: unknown) => void
}

/** An answer that is there at once is written at once; a slow one is written from its first words on. */
const firstMs = 8
/** Between two writes. */
const pauseMs = 25

export function openScribe(options: ScribeOptions): Scribe {
  const { source, draft, leaseSeconds, now, gather, body, lost } = options
  const { store, workspace, conversation } = source
  let last = options.last
  let begun = false
  let over = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()
  let unwritten = false
  let renewed = performance.now()
  let isCrowded = false

  const lease = (): Step => ({ do: 'renew-draft', draft: { ...draft, leaseSeconds } })
  const opening = (): Step => ({ do: 'save-draft', draft: { ...draft, text: '', body: body(last), leaseSeconds } })

  const commit = async (steps: readonly Step[]): Promise<void> => {
    const events = steps.flatMap((step) => (step.do === 'emit' ? step.events : []))
    const deadline = performance.now() + leaseSeconds * 1_000
    let isUnsure = false
    for (let pause = 50; ; pause = Math.min(pause * 2, 1_000)) {
      try {
        const written = isUnsure ? await arrived(source, events, last) : null
        if (written !== null) {
          isCrowded = true
          last = written
          return
        }
        // whoever cannot look does not know either: nothing is told twice
        isUnsure = false
        const { outcomes } = await store.commit(workspace, conversation, steps)
        const told = outcomes.findLast((outcome): outcome is readonly StoredEvent[] => Array.isArray(outcome))
        isCrowded ||= (told?.[0]?.number ?? last + 1) !== last + 1
        last = told?.at(-1)?.number ?? last
        renewed = performance.now()
        return
      } catch (error) {
        if (!isPassing(error) || performance.now() + pause > deadline) throw error
        isUnsure = true
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
  }

  const write = async (): Promise<void> => {
    const events = gather()
    const stale = performance.now() - renewed > (leaseSeconds * 1_000) / 3
    if (over || (events.length === 0 && !stale)) return
    const first = !begun && events.length > 0
    const steps: Step[] = [first ? opening() : lease()]
    if (events.length > 0) steps.push({ do: 'emit', events, at: now() })
    begun ||= first
    await commit(steps)
  }

  const flush = (): void => {
    timer = undefined
    unwritten = false
    writing = writing.then(write).catch((error) => {
      over = true
      lost(error)
    })
    void writing.then(() => {
      if (unwritten && !over) schedule(pauseMs)
    })
  }
  const schedule = (ms: number): void => {
    timer ??= setTimeout(flush, ms)
  }
  const heart = setInterval(flush, (leaseSeconds * 1_000) / 3)

  return {
    get last() {
      return last
    },
    get isCrowded() {
      return isCrowded
    },
    nudge() {
      if (over) return
      unwritten = true
      schedule(begun ? pauseMs : firstMs)
    },
    leave() {
      over = true
      clearInterval(heart)
      clearTimeout(timer)
    },
    async close(steps) {
      clearInterval(heart)
      clearTimeout(timer)
      timer = undefined
      unwritten = false
      await writing
      if (over) return
      over = true
      await commit(steps(gather()))
    },
  }
}

const isPassing = (error: unknown): boolean =>
  HistoryError.is(error) && (error.code === 'unavailable' || error.code === 'storage_full')

/** Whether a commit of unknown fate was made: nobody but this run writes these events. */
async function arrived(
  { store, workspace, conversation }: Source,
  events: readonly NewEvent[],
  after: number,
): Promise<number | null> {
  const [first] = events
  if (!first) return null
  const page = await store.events(workspace, conversation, after, 1_000)
  const at = page.events.findIndex((event) => event.type === first.type && isSame(event.data, first.data))
  const end = at < 0 ? undefined : page.events[at + events.length - 1]
  return end ? end.number : null
}

const isSame = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)
