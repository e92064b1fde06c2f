/** Reasoning goes back only to the model it came from, as it came. */
import type { ThinkPart } from '../../message/item.js'
import type { Target } from '../../message/target.js'
import { isBlank } from '../../message/text.js'
import { isSound } from './well-formed.js'

/** Compares model names without the provider's prefix and case. */
export function sameModel(one: string | undefined, other: string | undefined): boolean {
  if (!one || !other) return false
  return one === other || bare(one) === bare(other)
}

const bare = (model: string): string => model.slice(model.lastIndexOf('/') + 1).toLowerCase()

/** True when the target has a place for this reasoning, byte for byte. */
export function carriesThink(target: Target, part: ThinkPart): boolean {
  if (!isSound(part.text) || !isSound(part.signature ?? '') || !isSound(part.sealed ?? '') || !isSound(part.id ?? ''))
    return false
  switch (target) {
    case 'anthropic':
      return isFilled(part.signature) || isFilled(part.sealed)
    case 'openai-responses':
      return itemId.test(part.id ?? '')
    case 'google':
      return isFilled(part.signature) || isFilled(part.text)
    case 'ai-sdk':
      return isFilled(part.signature) || isFilled(part.sealed) || isFilled(part.id) || isFilled(part.text)
    default:
      return false
  }
}

/** OpenAI's ids of reasoning. */
const itemId = /^rs[a-zA-Z0-9_-]{0,62}$/

export const isFilled = (value: string | undefined): value is string => value !== undefined && !isBlank(value)

export const reasoningText = (part: ThinkPart): string => `[reasoning] ${part.text}`
