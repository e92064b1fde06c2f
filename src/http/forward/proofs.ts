/**
 * Signatures and sealed reasoning in a request that is passed on. A provider refuses those that another model or maker gave
 * out, and a client that changes its model sends them all: what cannot be read there is left out, all that was said stays.
 */

import { isRecord, listOf } from '../../core/message/fields.js'
import { type Lru, lru } from '../../core/message/lru.js'
import { claudeOf } from '../../core/profile/claude.js'
import { signsCalls, skipSignature } from '../../core/profile/gemini.js'
import { profilesOf } from '../../core/profile/profiles.js'
import type { WireName } from '../../models/wire/wires.js'
import type { Asked } from '../kit/door.js'

type Fields = Readonly<Record<string, unknown>>
/** Whether a proof at this place of the history is refused. */
type IsDead = (proof: string, at: number) => boolean

/** Where a request comes from and goes to. */
export interface ProofRoute {
  readonly session: string
  readonly wire: WireName
  readonly model: string
  /** The server and account behind, where that is known: the model alone cannot read what another one sealed. */
  readonly issuer: string
}

/** Who gives out what is sealed. */
export type Giver = Pick<ProofRoute, 'model' | 'issuer'>

export interface Proofs {
  /** An answer as it came, with the proofs in it. */
  note(giver: Giver, answer: string): void
  /** Without what is known to be refused; the same request where nothing is. */
  before(route: ProofRoute, asked: Asked): Asked
  /** The same after a refusal; null where it was for another reason, or where nothing can go. */
  after(route: ProofRoute, asked: Asked, refusal: string): Asked | null
}

export function openProofs(): Proofs {
  /** Who gave it out. */
  const givers: Lru<string> = lru(20_000)
  /** Messages of a session up to which no proof is sent. */
  const withheld: Lru<number> = lru(5_000)
  const loose: Lru<true> = lru(5_000)
  const before = ({ session, wire, model, issuer }: ProofRoute, asked: Asked): Asked => {
    const own = nameOf({ model, issuer })
    const until = withheld.get(session) ?? 0
    const isForeign = (proof: string): boolean => (givers.get(keyOf(proof)) ?? own) !== own
    const isDead: IsDead = (proof, at) => at < until || isForeign(proof)
    const healed = healers[wire]?.(asked, isDead, model) ?? asked
    return loose.get(session) ? unbound(wire, model, healed) : healed
  }
  return {
    note(giver, answer) {
      for (const [, proof = ''] of answer.matchAll(proofs)) givers.set(keyOf(proof), nameOf(giver))
    },
    before,
    after(route, asked, refusal) {
      const { session, wire } = route
      if (wire === 'anthropic' && isBinding.test(refusal)) {
        if (loose.get(session)) return null
        loose.set(session, true)
      } else if (isProof.test(refusal)) {
        const count = listOf(asked[fields[wire] ?? '']).length
        if ((withheld.get(session) ?? 0) >= count) return null
        withheld.set(session, count)
      } else return null
      const next = before(route, asked)
      return next === asked ? null : next
    },
  }
}

const nameOf = ({ model, issuer }: Giver): string => `${model}\n${issuer}`

/** The end of a proof is as good as the whole, and shorter. */
const keyOf = (proof: string): string => proof.slice(-64)

/** Claude's are left out: a model that cannot read another's thinking ignores it. */
const proofs = /"(?:encrypted_content|thoughtSignature)"\s*:\s*"([^"\\]+)"/g
const isBinding = /bound to a different conversation/
const isProof =
  /signature` in `thinking|thinking\.signature|`thinking` or `redacted_thinking` blocks|invalid_encrypted_content|could not be verified|thought.?signature/i
const fields: Readonly<Partial<Record<WireName, string>>> = {
  anthropic: 'messages',
  'openai-responses': 'input',
  google: 'contents',
}

/** Where the history was changed, thinking that is bound to it is left out by the provider itself. */
export function unbound(wire: WireName, model: string, asked: Asked): Asked {
  if (wire !== 'anthropic' || claudeOf(model)?.thinks !== 'bound') return asked
  const thinking = isRecord(asked.thinking) ? asked.thinking : { type: 'adaptive' }
  if (thinking.type === 'disabled' || thinking.block_binding !== undefined) return asked
  return { ...asked, thinking: { ...thinking, block_binding: { prefix_mismatch_behavior: 'drop_block' } } }
}

/** The beta that a request needs for what was added to it. */
export const betaOf = ({ thinking }: Asked): string | null =>
  isRecord(thinking) && thinking.block_binding !== undefined ? 'thinking-binding-controls-2026-08-01' : null

const healers: Readonly<Partial<Record<WireName, (asked: Asked, isDead: IsDead, model: string) => Asked>>> = {
  anthropic: (asked, isDead) =>
    changed(asked, 'messages', (message, at) => {
      const content = listOf(message.content)
      const isBad = (block: unknown): boolean =>
        isThinking(block) && (proofIn(block) === '' || isDead(proofIn(block), at))
      if (!content.some(isBad)) return message
      // never half a set
      const rest = content.filter((block) => !isThinking(block))
      return rest.length === 0 ? null : { ...message, content: rest }
    }),
  'openai-responses': (asked, isDead) => {
    let isOrphan = false
    return changed(asked, 'input', (item, at) => {
      if (item.type === 'reasoning') {
        const sealed = typeof item.encrypted_content === 'string' ? item.encrypted_content : ''
        isOrphan = sealed === '' ? asked.store === false : isDead(sealed, at)
        return isOrphan ? null : item
      }
      if (item.role === 'user' || item.type === 'function_call_output') isOrphan = false
      if (!isOrphan || item.id === undefined) return item
      // an id asks for the reasoning that came with it
      const { id: _, ...rest } = item
      return rest
    })
  },
  'openai-chat': (asked, _, model) =>
    knowsReasoning(model)
      ? asked
      : changed(asked, 'messages', (message) => {
          if (message.role !== 'assistant' || message.reasoning_content === undefined) return message
          const { reasoning_content: _reasoning, ...rest } = message
          return rest
        }),
  google: (asked, isDead, model) => {
    const signs = signsCalls(model)
    const current = listOf(asked.contents).findLastIndex(isAsked)
    return changed(asked, 'contents', (content, at) => {
      const parts = listOf(content.parts)
      const first =
        at > current && signs ? parts.findIndex((part) => isRecord(part) && isRecord(part.functionCall)) : -1
      const next = parts.map((part, i) => {
        if (!isRecord(part)) return part
        const proof = typeof part.thoughtSignature === 'string' ? part.thoughtSignature : ''
        const isGood = proof !== '' && (proof === skipSignature || !isDead(proof, at))
        if (isGood || (proof === '' && i !== first)) return part
        const { thoughtSignature: _, ...rest } = part
        return signs && isRecord(part.functionCall) ? { ...rest, thoughtSignature: skipSignature } : rest
      })
      return next.every((part, i) => part === parts[i]) ? content : { ...content, parts: next }
    })
  },
}

/** OpenAI and those who check as strictly refuse the field in which other servers want their reasoning back. */
const knowsReasoning = (model: string): boolean =>
  !model.startsWith('openai/') &&
  !profilesOf('openai-chat', { model }).some((name) => name === 'mistral' || name === 'groq')

const isThinking = (block: unknown): block is Fields =>
  isRecord(block) && (block.type === 'thinking' || block.type === 'redacted_thinking')

function proofIn({ type, signature, data }: Fields): string {
  const proof = type === 'thinking' ? signature : data
  return typeof proof === 'string' ? proof : ''
}

/** A user's content that is more than the results of calls. */
const isAsked = (content: unknown): boolean =>
  isRecord(content) &&
  content.role !== 'model' &&
  listOf(content.parts).some((part) => isRecord(part) && part.functionResponse === undefined)

/** The request with each message of a list changed, or left out; itself where none is. */
function changed(asked: Asked, field: string, change: (message: Fields, at: number) => Fields | null): Asked {
  const list = listOf(asked[field])
  const next = list.map((message, at) => (isRecord(message) ? change(message, at) : message))
  return next.every((message, at) => message === list[at])
    ? asked
    : { ...asked, [field]: next.filter((message) => message !== null) }
}
