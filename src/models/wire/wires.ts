/** How each provider's stream says that the answer is whole. */
import { fieldsOf, listOf } from '../../core/message/fields.js'

export type WireName = 'anthropic' | 'openai-chat' | 'openai-responses' | 'google' | 'ollama'

/** `end`: nothing may follow, the answer is whole. `whole`: it is, if the stream ends now. `more`: it is not yet. An error is the provider's own. */
type Verdict = 'more' | 'whole' | 'end' | { readonly error: unknown }

export interface Wire {
  readonly name: WireName
  readonly frame: 'events' | 'lines'
  /** A judge for one stream. `[DONE]` is the one event that is no JSON. */
  readonly judge: () => (event: unknown) => Verdict
}

export const wires: Readonly<Record<WireName, Wire>> = {
  anthropic: { name: 'anthropic', frame: 'events', judge: () => anthropic },
  'openai-chat': { name: 'openai-chat', frame: 'events', judge: openaiChat },
  'openai-responses': { name: 'openai-responses', frame: 'events', judge: () => openaiResponses },
  google: { name: 'google', frame: 'events', judge: google },
  ollama: { name: 'ollama', frame: 'lines', judge: () => ollama },
}

export const done = '[DONE]'

function anthropic(event: unknown): Verdict {
  const { type, error } = fieldsOf(event)
  if (type === 'error') return { error }
  return type === 'message_stop' ? 'end' : 'more'
}

function openaiChat(): (event: unknown) => Verdict {
  let finished = false
  return (event) => {
    // without a reason to finish, the end is only the end of the connection
    if (event === done) return finished ? 'end' : 'more'
    const { error, choices } = fieldsOf(event)
    if (error !== undefined && error !== null) return { error }
    finished ||= listOf(choices).some((choice) => isFilled(fieldsOf(choice).finish_reason))
    return 'more'
  }
}

function openaiResponses(event: unknown): Verdict {
  const { type, response } = fieldsOf(event)
  if (type === 'error') return { error: event }
  if (type === 'response.failed') return { error: fieldsOf(response).error ?? event }
  return type === 'response.completed' || type === 'response.incomplete' ? 'end' : 'more'
}

function google(): (event: unknown) => Verdict {
  let finished = false
  return (event) => {
    const { error, candidates, promptFeedback } = fieldsOf(event)
    if (error !== undefined && error !== null) return { error }
    finished ||= listOf(candidates).some((candidate) => isFilled(fieldsOf(candidate).finishReason))
    finished ||= isFilled(fieldsOf(promptFeedback).blockReason)
    return finished ? 'whole' : 'more'
  }
}

function ollama(event: unknown): Verdict {
  const { error, done: isDone } = fieldsOf(event)
  if (error !== undefined) return { error }
  return isDone === true ? 'end' : 'more'
}

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== ''
