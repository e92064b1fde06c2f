/** Reasoning goes back only to the model it came from, as it came. */
import type { ThinkPart } from '../../message/item.js'
import type { Target } from '../../message/target.js'
import { isBlank, isWellFormed, isWholeBase64 } from '../../message/text.js'
import type { Traits } from '../../profile/traits.js'

/** True when the target has a place for this reasoning, byte for byte. */
export function carriesThink(target: Target, part: ThinkPart, traits: Traits): boolean {
  if (![part.text, part.signature, part.sealed, part.id].every((one) => isWellFormed(one ?? ''))) return false
  switch (target) {
    case 'anthropic':
      return isWholeBase64((isFilled(part.signature) ? part.signature : part.sealed) ?? '')
    case 'openai-chat':
      return traits.reasoning !== 'none' && isFilled(part.text)
    case 'openai-responses':
      // what is not stored at the provider comes back sealed, or not at all
      return traits.thoughts && itemId.test(part.id ?? '') && isFilled(part.sealed)
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

const told = '[reasoning] '
export const reasoningText = (part: ThinkPart): string => `${told}${part.text}`
/** Reasoning that was told as a text is still no answer. */
export const isReasoningText = (text: string): boolean => text.startsWith(told)
