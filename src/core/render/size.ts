/** What an item costs in the target it is written for. */

import type { CallPart, FilePart, Item, OutputPart, TextPart } from '../message/item.js'
import { sameModel } from '../message/model-name.js'
import type { Target } from '../message/target.js'
import { isBlank, length } from '../message/text.js'
import type { Style } from '../message/window.js'
import type { Traits } from '../profile/traits.js'
import type { Counter } from '../tokens/counter.js'
import type { Family } from '../tokens/models.js'
import { fileTokens, type messageOverhead } from '../tokens/size.js'
import { mendName, noOutput, noResult } from '../window/mend/call.js'
import { carriesFile, carriesOutputFile, described, fileText } from '../window/mend/file.js'
import { isPlainObject } from '../window/mend/plain.js'
import { blockOf } from './block.js'

export interface Size {
  readonly tokens: number
  readonly chars: number
  /** Of messages that were not all looked at. */
  readonly estimated?: true
}

export const nothing: Size = Object.freeze({ tokens: 0, chars: 0 })

/** How sizes are taken: one counter, one target, one model. */
export interface Scale {
  readonly counter: Counter
  readonly family: Family
  readonly target: Target
  readonly model: string | undefined
  /** What the target and its profile ask for. */
  readonly traits: Traits
  readonly style: Style
  /** Sizes of tool inputs, outputs and texts beside calls that were taken before. */
  readonly sizes: WeakMap<object, Size>
  /** Per message, call and result, and once for the request; all zero for the bare chars / 4 of specification 4. */
  readonly overhead: ReturnType<typeof messageOverhead>
}

export const isText = (target: Target): target is 'text-tagged' | 'text-numbered' =>
  target === 'text-tagged' || target === 'text-numbered'

/** What a message has around it, and has not once more when the provider joins it to the one before it. */
export const frameShared = ({ traits, target, overhead }: Scale): number =>
  traits.alternates && target !== 'openai-chat' ? overhead.perMessage : 0

/** The whole item, results included. */
export function sizeOf(item: Item, scale: Scale): Size {
  if (isText(scale.target)) return blockSize(item, scale, scale.target)
  let tokens = scale.overhead.perMessage
  let chars = 0
  for (const part of item.parts) {
    switch (part.type) {
      case 'text': {
        // beside calls it is told again once their results are known
        const size =
          item.parts.length > 1 ? remembered(part, scale, () => textSize(part, scale)) : textSize(part, scale)
        tokens += size.tokens
        chars += size.chars
        break
      }
      case 'think':
        tokens += thinkTokens(part.text, part.signature ?? part.sealed, item.model, scale)
        chars += length(part.text)
        break
      case 'file':
        tokens += fileSize(part, carriesFile(scale.target, part, scale.traits.images), scale)
        chars += part.source.kind === 'text' ? length(part.source.text) : 0
        break
      case 'call': {
        const call = callSize(part, scale)
        const result = outputSize(part, scale)
        tokens += call.tokens + result.tokens
        chars += call.chars + result.chars
      }
    }
  }
  return { tokens, chars }
}

const textSize = ({ text }: TextPart, { counter }: Scale): Size => ({
  tokens: counter.count(text),
  chars: length(text),
})

/** A text block as it is written, and one token for the seam to the next. */
function blockSize(item: Item, scale: Scale, target: 'text-tagged' | 'text-numbered'): Size {
  const block = blockOf(item, target, scale.style, 9_999)
  let chars = 0
  for (const part of item.parts) if (part.type === 'text') chars += length(part.text)
  return { tokens: scale.counter.count(block) + 1, chars }
}

function thinkTokens(value: string, proof: string | undefined, author: string | undefined, scale: Scale): number {
  const { counter, model, target, style } = scale
  const told = style.think === 'text' ? counter.count(value) + 8 : 0
  // where no model is named, Google's is taken to be the one that spoke last, whoever that will be
  const isOwn = model === undefined && target === 'google' ? author !== undefined : sameModel(author, model)
  return isOwn ? Math.max(told, counter.count(value) + (proof ? counter.count(proof) : 0)) : told
}

function fileSize(part: FilePart, carried: boolean, scale: Scale): number {
  if (part.source.kind === 'text') return scale.counter.count(fileText(part)) + 2
  return carried ? fileTokens(part, scale.counter, scale.family) : scale.counter.count(described(part))
}

function callSize(call: CallPart, scale: Scale): Size {
  return remembered(call.input, scale, () => countCall(call, scale))
}

function remembered(key: unknown, { sizes }: Scale, count: () => Size): Size {
  if (typeof key !== 'object' || key === null) return count()
  const known = sizes.get(key)
  if (known) return known
  const size = count()
  sizes.set(key, size)
  return size
}

function countCall(call: CallPart, scale: Scale): Size {
  const input = JSON.stringify(call.input) ?? ''
  if (scale.target === 'messages') {
    const frame = scale.counter.count(`\n[Used tool: ${call.name}]\n[Tool result: ]`)
    return { tokens: frame + scale.counter.count(input), chars: length(call.name) + length(input) }
  }
  const { counter, overhead } = scale
  const name = counter.count(mendName(call.name, scale.target))
  const tokens = overhead.perCall + name + counter.count(input) + (isPlainObject(call.input) ? 0 : 6)
  return { tokens, chars: length(call.name) + length(input) }
}

/** The result of a call as it will be sent, the stand-in for a missing one included. */
export function outputSize(call: CallPart, scale: Scale): Size {
  if (isText(scale.target)) return nothing
  if (call.outcome.state === 'pending')
    return { tokens: scale.overhead.perResult + scale.counter.count(noResult), chars: 0 }
  return partsSize(call.outcome.output, scale)
}

/** A result that stands by itself. */
export const partsSize = (output: readonly OutputPart[], scale: Scale): Size =>
  remembered(output, scale, () => countParts(output, scale))

function countParts(output: readonly OutputPart[], scale: Scale): Size {
  let tokens = scale.overhead.perResult
  let chars = 0
  for (const part of output) {
    if (part.type === 'text') {
      if (isBlank(part.text)) continue
      tokens += scale.counter.count(part.text)
      chars += length(part.text)
    } else tokens += fileSize(part, carriesOutputFile(scale.target, part, scale.traits.images), scale)
  }
  if (chars === 0) tokens += scale.counter.count(noOutput)
  return { tokens, chars }
}
