/** An answer as it is made. It changes with every word and is drawn once a frame; nothing else is drawn with it. */
import type { Event } from '../../src/client/index.js'
import { type Box, boxOf, eachFrame } from './box.js'

export interface LiveCall {
  readonly id: string
  readonly name: string
  readonly input: string
}

export interface Live {
  readonly text: string
  readonly think: string
  readonly calls: readonly LiveCall[]
  readonly retried: boolean
}

export const nothing: Live = { text: '', think: '', calls: [], retried: false }

export const liveBox = (): Box<Live> => boxOf(nothing, eachFrame())

export function hear(live: Box<Live>, event: Event): void {
  const change = changeOf(live.get(), event)
  if (change) live.set(change)
}

function changeOf({ text, think, calls }: Live, event: Event): Partial<Live> | null {
  switch (event.type) {
    case 'text-delta':
      return { text: text + event.data.text, retried: false }
    case 'think-delta':
      return { think: think + event.data.text, retried: false }
    case 'call-started':
      return { calls: [...calls, { id: event.data.id, name: event.data.name, input: '' }] }
    case 'call-made': {
      const { id, name, input } = event.data
      const made = { id, name, input: JSON.stringify(input, null, 2) ?? '' }
      return { calls: [...calls.filter((call) => call.id !== id), made] }
    }
    // what was said before is in the log by now
    case 'window-made':
      return nothing
    case 'run-retried':
      return { ...nothing, retried: true }
    default:
      return null
  }
}
