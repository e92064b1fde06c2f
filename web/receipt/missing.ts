/** The details that the model could not see, the messages that hold them, and what it costs to bring those back. */
import { useEffect, useState } from 'react'
import type { Brief, KeptReceipt } from '../../src/client/index.js'
import { api } from '../api.js'
import { outlineOf } from '../inspector/outline.js'
import { heedMarks } from '../mark.js'
import { type Receipt, sawOf } from './saw.js'

export interface Detail {
  readonly kind: string
  readonly text: string
  /** The message that holds it. */
  readonly message: string
  /** Where that is on the path. */
  readonly place: number
}

export interface Missing {
  readonly details: readonly Detail[]
  /** Tokens that each message takes, whole. */
  readonly costs: ReadonlyMap<string, number>
  readonly pinned: ReadonlySet<string>
}

const nothing: Missing = { details: [], costs: new Map(), pinned: new Set() }
const known = new Map<string, Promise<Omit<Missing, 'pinned'> & { readonly path: readonly Brief[] }>>()

/** Null until it is known. */
export function useMissing(kept: KeptReceipt | null): Missing | null {
  const [found, setFound] = useState<Missing | null>(null)
  const isAsked = kept !== null && isLacking(kept.receipt)
  useEffect(() => {
    setFound(isAsked ? null : nothing)
    if (!isAsked) return
    let isGone = false
    read(kept).then(
      ({ path, ...rest }) => {
        const pinned = new Set(path.filter((brief) => brief.pinned).map(({ id }) => id))
        if (!isGone) setFound({ ...rest, pinned })
      },
      () => isGone || setFound(nothing),
    )
    const deaf = heedMarks(kept.conversation_id, ({ id, pinned }) => {
      known.delete(kept.id)
      setFound((held) => held && { ...held, pinned: marked(held.pinned, id, pinned) })
    })
    return () => {
      isGone = true
      deaf()
    }
  }, [kept, isAsked])
  return found
}

function isLacking(receipt: Receipt): boolean {
  const { left, summarised } = sawOf(receipt)
  return left + summarised + receipt.totals.clipped + receipt.totals.folded > 0
}

function marked(pinned: ReadonlySet<string>, id: string, isPinned: boolean): ReadonlySet<string> {
  const next = new Set(pinned)
  if (isPinned) next.add(id)
  else next.delete(id)
  return next
}

function read(kept: KeptReceipt) {
  const held = known.get(kept.id) ?? load(kept)
  known.set(kept.id, held)
  held.catch(() => known.delete(kept.id))
  return held
}

async function load({ id, conversation_id, message_id }: KeptReceipt) {
  const { signal } = new AbortController()
  const [{ receipt }, path] = await Promise.all([
    api.receipts.whatIf(id, { risks: true }, { signal }),
    outlineOf(conversation_id, { head: message_id ?? '' }, signal),
  ])
  const details = (receipt.risks ?? []).flatMap(({ kind, text, message: place }): Detail[] => {
    const message = path[place]?.id
    return message === undefined ? [] : [{ kind, text, message, place }]
  })
  return { details, costs: await costsOf(id, path, details, signal), path }
}

/** The window in which all of them are whole counts each. */
async function costsOf(id: string, path: readonly Brief[], details: readonly Detail[], signal: AbortSignal) {
  if (details.length === 0) return new Map<string, number>()
  const wanted = new Set(details.map(({ message }) => message))
  const pinned = path.filter((brief) => brief.pinned || wanted.has(brief.id)).map((brief) => brief.id)
  const excluded = path.filter((brief) => brief.excluded).map((brief) => brief.id)
  const { receipt } = await api.receipts.whatIf(id, { marks: { pinned, excluded } }, { signal })
  const whole = new Map(receipt.request.each.map(([at, , tokens]) => [path[at]?.id, tokens]))
  return new Map(details.map(({ message, place }) => [message, whole.get(message) ?? path[place]?.tokens ?? 0]))
}

export const costOf = ({ costs, pinned }: Missing, messages: Iterable<string>): number =>
  [...new Set(messages)].reduce((sum, id) => sum + (pinned.has(id) ? 0 : (costs.get(id) ?? 0)), 0)

export const placesOf = (missing: Missing | null): ReadonlySet<number> =>
  new Set(missing?.details.map(({ place }) => place))
