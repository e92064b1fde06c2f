/** An item as plain text. */
import type { CallPart, Item, OutputPart, Part, ThinkPart } from '../../message/item.js'
import type { Target } from '../../message/target.js'
import { isBlank, isWellFormed, wellFormed } from '../../message/text.js'
import type { Style, Window } from '../../message/window.js'
import { type Claude, claudeOf } from '../../profile/claude.js'
import { traitsOf } from '../../profile/profiles.js'
import type { Traits } from '../../profile/traits.js'
import { CallIds, isLegalId } from './call-ids.js'
import { fileText, isBlankFile, plainFile } from './file.js'
import { isReasoningText, reasoningText } from './think.js'
import { sound } from './well-formed.js'

/** The parts that say something, one below the other; empty when none does. */
export function plainText(item: Item, think: Style['think']): string {
  const [only] = item.parts
  if (item.parts.length === 1 && only?.type === 'text') return isBlank(only.text) ? '' : wellFormed(only.text)
  return item.parts
    .filter((part) => !isSilent(part, think))
    .map(plainPart)
    .join('\n')
}

/** True when the part leaves no trace in plain text. */
export function isSilent(part: Part, think: Style['think']): boolean {
  switch (part.type) {
    case 'text':
      return isBlank(part.text)
    case 'think':
      return think === 'drop' || isBlank(part.text)
    case 'file':
      return isBlankFile(part)
    case 'call':
      return false
  }
}

/** The text of what a tool gave back. */
export function outputText(output: readonly OutputPart[]): string {
  return output
    .filter((part) => !isSilent(part, 'drop'))
    .map((part) => (part.type === 'text' ? wellFormed(part.text) : fileText(part)))
    .join('\n')
}

function plainPart(part: Part): string {
  switch (part.type) {
    case 'text':
      return wellFormed(part.text)
    case 'think':
      return wellFormed(reasoningText(part))
    case 'file':
      return plainFile(part)
    case 'call':
      return plainCall(part)
  }
}

/** A call and what came of it, in words. */
export function plainCall(call: CallPart): string {
  const used = `[Used tool: ${wellFormed(call.name)}]`
  const result = call.outcome.state === 'pending' ? '' : outputText(call.outcome.output)
  return result ? `${used}\n[Tool result: ${result}]` : used
}

// What needs no mending, whatever the target.

const legalName = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

/** True for visible text and finished calls; the ids of calls may still collide with those of another item. */
export function isClean(item: Item): boolean {
  if (item.role === 'system' || item.mark || item.parts.length === 0) return false
  for (const part of item.parts) {
    if (part.type === 'text') {
      if (isBlank(part.text) || !isWellFormed(part.text)) return false
    } else if (part.type !== 'call' || item.role !== 'assistant' || !isCleanCall(part)) return false
  }
  return true
}

function isCleanCall(call: CallPart): boolean {
  if (call.outcome.state === 'pending' || call.outcome.output.length === 0) return false
  if (!isLegalId(call.id) || !legalName.test(call.name)) return false
  if (!isPlainObject(call.input) || sound(call.input) !== call.input) return false
  for (const part of call.outcome.output) {
    if (part.type !== 'text' || isBlank(part.text) || !isWellFormed(part.text)) return false
  }
  return true
}

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// What one run of mend keeps while it walks the items.

export interface MendNote {
  /** Index into the window's items; an added item stands before it. */
  readonly item: number
  readonly rule: MendRule
  readonly effect: 'dropped' | 'changed' | 'added'
}

type MendRule =
  | 'empty'
  | 'leads_with_user'
  | 'ends_with_user'
  | 'merged'
  | 'closed'
  | 'id_remapped'
  | 'name_fixed'
  | 'input_wrapped'
  | 'call_moved'
  | 'think_dropped'
  | 'think_text'
  | 'file_described'
  | 'text_fixed'
  | 'system_moved'
  | 'mark_moved'
  | 'bridged'
  | 'too_many'
  | 'call_told'
  | 'reasoning_added'
  | 'signature_added'

const nothing: readonly never[] = []

export class Job {
  readonly window: Window
  readonly target: Target
  readonly traits: Traits
  readonly clean: (item: Item) => boolean
  /** The model it is for, as the caller says; for Google else the one that spoke last. */
  readonly model: string | undefined
  readonly claude: Claude | undefined
  #thinkIds: Set<string> | undefined
  #ids: CallIds | undefined
  #system: string[] | undefined
  #notes: MendNote[] | undefined

  constructor(window: Window, target: Target, clean: (item: Item) => boolean, traits?: Traits) {
    this.window = window
    this.target = target
    this.traits = traits ?? traitsOf(target, window)
    this.model = window.model ?? (target === 'google' ? lastModel(window.items) : undefined)
    this.claude = target === 'anthropic' ? claudeOf(window.model) : undefined
    this.clean = clean
    this.tell(window.system ?? '')
  }

  get system(): readonly string[] {
    return this.#system ?? nothing
  }

  get notes(): readonly MendNote[] {
    return this.#notes ?? nothing
  }

  get ids(): CallIds {
    this.#ids ??= new CallIds(this.traits.callId)
    return this.#ids
  }

  /** Nothing of the item has to be looked at again. */
  isFine(item: Item): boolean {
    if (!this.clean(item)) return false
    const { callId, calls } = this.traits
    if ((callId !== 'any' || calls !== 'own') && item.parts.some((part) => part.type === 'call')) return false
    return this.claimCalls(item)
  }

  /** Takes the ids of a clean item's calls, or none when one of them is already in use. */
  claimCalls(item: Item): boolean {
    if (item.role !== 'assistant') return true
    for (const part of item.parts) if (part.type === 'call') return this.ids.claim(item)
    return true
  }

  /** In the Responses dialect reasoning is an item of its own, and what it led to is the next one. */
  goesOn(at: number): boolean {
    const next = this.window.items[at + 1]
    if (this.target !== 'openai-responses' || next?.role !== 'assistant' || next.mark) return false
    return next.parts.some((part) => part.type !== 'think' && !isSilent(part, 'drop'))
  }

  /** True once reasoning is kept. */
  get thinks(): boolean {
    return this.#thinkIds !== undefined
  }

  /** Keeps reasoning, unless its id was sent before: a provider refuses the same one twice. */
  claimThink(part: ThinkPart): boolean {
    this.#thinkIds ??= new Set()
    if (part.id === undefined) return true
    return this.#thinkIds.size < this.#thinkIds.add(part.id).size
  }

  /** Puts a text into the system channel. */
  tell(value: string): void {
    if (isBlank(value)) return
    this.#system ??= []
    this.#system.push(wellFormed(value))
  }

  note(item: number, rule: MendRule, effect: MendNote['effect']): void {
    this.#notes ??= []
    this.#notes.push({ item, rule, effect })
  }
}

/** Only who says something that stays has spoken. */
const lastModel = (items: readonly Item[]): string | undefined =>
  items.findLast(({ role, model, parts }) => role === 'assistant' && model && parts.some(isSaid))?.model

const isSaid = (part: Part): boolean =>
  part.type === 'call' ||
  part.type === 'file' ||
  (part.type === 'text' && !isBlank(part.text) && !isReasoningText(part.text))
