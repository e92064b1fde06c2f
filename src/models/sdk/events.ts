/** The parts of an AI SDK stream as events of ours. */
import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider'
import type { ThinkPart } from '../../core/message/item.js'
import type { FinishReason, ModelEvent, Usage } from '../wire/contract.js'
import { fault } from '../wire/fault.js'

type Mapper = (part: LanguageModelV3StreamPart) => readonly ModelEvent[]

/** Remembers what a stream has begun; throws `ModelError` for what cannot be read. */
export function mapper(who: string): Mapper {
  const thoughts = new Thoughts()
  const started = new Set<string>()
  let called = false

  const start = (id: string, name: string): readonly ModelEvent[] => {
    if (started.has(id)) return []
    started.add(id)
    return [{ type: 'call-start', id, name }]
  }

  return (part) => {
    switch (part.type) {
      case 'reasoning-start':
        return thoughts.open(part.id, part.providerMetadata)
      case 'reasoning-delta':
        return thoughts.add(part.id, part.delta, part.providerMetadata)
      case 'reasoning-end':
        return thoughts.close(part.id, part.providerMetadata)
      case 'text-start':
        return [...thoughts.flush(), ...hint(part.providerMetadata)]
      case 'text-delta':
        return part.delta === '' ? [] : [...thoughts.flush(), { type: 'text', text: part.delta }]
      case 'tool-input-start':
        if (part.providerExecuted) return []
        return [...thoughts.flush(), ...start(part.id, part.toolName)]
      case 'tool-input-delta':
        return started.has(part.id) && part.delta !== '' ? [{ type: 'call-delta', id: part.id, json: part.delta }] : []
      case 'tool-call':
        if (part.providerExecuted) return []
        called = true
        return [
          ...thoughts.flush(),
          ...hint(part.providerMetadata),
          ...start(part.toolCallId, part.toolName),
          { type: 'call', id: part.toolCallId, name: part.toolName, input: inputOf(who, part.input) },
        ]
      case 'finish':
        return [
          ...thoughts.flush(),
          {
            type: 'finish',
            reason: reasonOf(part.finishReason, called),
            usage: usageOf(part.usage),
            ...stopOf(part.providerMetadata),
          },
        ]
      case 'error':
        throw fault('garbled', who, part.error)
      default:
        return []
    }
  }
}

/** Reasoning while it is streamed: what belongs to one item of the provider becomes one thought. */
class Thoughts {
  readonly #open = new Map<string, { text: string; metadata: SharedV3ProviderMetadata }>()
  #whole: ThinkPart | null = null

  open(key: string, metadata: SharedV3ProviderMetadata = {}): readonly ModelEvent[] {
    this.#open.set(key, { text: '', metadata })
    return []
  }

  add(key: string, delta: string, metadata: SharedV3ProviderMetadata = {}): readonly ModelEvent[] {
    const thought = this.#open.get(key) ?? { text: '', metadata: {} }
    this.#open.set(key, { text: thought.text + delta, metadata: merged(thought.metadata, metadata) })
    return delta === '' ? [] : [{ type: 'think', text: delta }]
  }

  close(key: string, metadata: SharedV3ProviderMetadata = {}): readonly ModelEvent[] {
    const thought = this.#open.get(key)
    if (!thought) return []
    this.#open.delete(key)
    const part = partOf(thought.text, merged(thought.metadata, metadata))
    const before = this.#whole
    if (before?.id !== undefined && before.id === part.id) {
      this.#whole = { ...before, ...part, text: [before.text, part.text].filter(Boolean).join('\n\n') }
      return []
    }
    const events = this.flush()
    this.#whole = part
    return events
  }

  flush(): readonly ModelEvent[] {
    const part = this.#whole
    this.#whole = null
    return part && (part.text !== '' || part.signature || part.sealed || part.id) ? [{ type: 'thought', part }] : []
  }
}

function merged(one: SharedV3ProviderMetadata, other: SharedV3ProviderMetadata): SharedV3ProviderMetadata {
  const out = { ...one }
  for (const [name, fields] of Object.entries(other)) out[name] = { ...out[name], ...fields }
  return out
}

function partOf(text: string, { anthropic, openai, google }: SharedV3ProviderMetadata): ThinkPart {
  const signature = anthropic?.signature ?? google?.thoughtSignature
  const sealed = anthropic?.redactedData ?? openai?.reasoningEncryptedContent
  const id = openai?.itemId
  return {
    type: 'think',
    text,
    ...(typeof signature === 'string' && { signature }),
    ...(typeof sealed === 'string' && { sealed }),
    ...(typeof id === 'string' && { id }),
  }
}

/** A signature on a part that is no thought: the thought itself was not shown. */
function hint(metadata: SharedV3ProviderMetadata | undefined): readonly ModelEvent[] {
  const signature = metadata?.google?.thoughtSignature
  return typeof signature === 'string' ? [{ type: 'thought', part: { type: 'think', text: '', signature } }] : []
}

function inputOf(who: string, json: string): unknown {
  if (json.trim() === '') return {}
  try {
    return JSON.parse(json)
  } catch (error) {
    throw fault('garbled', who, error)
  }
}

const reasons: Readonly<Record<LanguageModelV3FinishReason['unified'], FinishReason>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'calls',
  'content-filter': 'filter',
  error: 'other',
  other: 'other',
}

const reasonOf = ({ unified }: LanguageModelV3FinishReason, called: boolean): FinishReason =>
  called && unified === 'stop' ? 'calls' : reasons[unified]

/** Only Anthropic's wire tells which text it was. */
function stopOf(metadata: SharedV3ProviderMetadata = {}): { readonly stop?: string } {
  const stop = metadata.anthropic?.stopSequence
  return typeof stop === 'string' ? { stop } : {}
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage | null {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null
  return {
    input: inputTokens.total ?? 0,
    output: outputTokens.total ?? 0,
    ...(inputTokens.cacheRead !== undefined && { cached: inputTokens.cacheRead }),
    ...(inputTokens.cacheWrite !== undefined && { written: inputTokens.cacheWrite }),
    ...(outputTokens.reasoning !== undefined && { thinking: outputTokens.reasoning }),
  }
}
