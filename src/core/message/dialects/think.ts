/** Reasoning, and what proves or seals it. */

import type { ThinkPart } from '../item.js'
import { firstOf, idOf, isRaw, own, type Raw, type Sink, str } from './read.js'

export interface Seal {
  readonly signature?: string | undefined
  readonly sealed?: string | undefined
  readonly id?: string | undefined
  readonly prefix?: string | undefined
  readonly issuer?: string | undefined
}

/** Adds reasoning, unless there is nothing in it to replay or to read. */
export function think(sink: Sink, text: string, { signature, sealed, id, prefix, issuer }: Seal = {}): void {
  if (text === '' && !signature && !sealed) return
  const part: ThinkPart = {
    type: 'think',
    text,
    ...(signature ? { signature } : {}),
    ...(sealed ? { sealed } : {}),
    ...(id ? { id } : {}),
    ...(prefix ? { prefix } : {}),
    ...(issuer ? { issuer } : {}),
  }
  sink.parts.push(part)
}

/** The AI SDK keeps the providers' proofs under each provider's name. */
export function sealOf(block: Raw, at: string, sink: Sink): Seal {
  const byProvider = firstOf(block, 'providerMetadata', 'providerOptions', 'callProviderMetadata')
  if (!isRaw(byProvider)) return {}
  for (const provider of Object.keys(byProvider)) {
    const told = own(byProvider, provider)
    if (!isRaw(told)) continue
    const seal = {
      signature: str(told, at, sink, 'signature', 'thoughtSignature'),
      sealed: str(told, at, sink, 'redactedData', 'reasoningEncryptedContent'),
      id: idOf(told, at, sink, 'itemId'),
    }
    if (seal.signature !== undefined || seal.sealed !== undefined || seal.id !== undefined) return seal
  }
  return {}
}
