import { byteLength } from '../../core/message/text.js'
import type { ModelEvent } from './contract.js'
import { fault } from './fault.js'

/** The same events, as long as the answer keeps within its bytes. */
export async function* capped(
  who: string,
  events: AsyncIterable<ModelEvent>,
  most: number,
): AsyncGenerator<ModelEvent, void, undefined> {
  let size = 0
  for await (const event of events) {
    size += sizeOf(event)
    if (size > most) throw fault('too_long', who)
    yield event
  }
}

function sizeOf(event: ModelEvent): number {
  if (event.type === 'text' || event.type === 'think') return byteLength(event.text)
  return event.type === 'call-delta' ? byteLength(event.json) : 0
}
