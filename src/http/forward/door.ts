/** What the forwarder has to know of each dialect: how its requests name the model, and where they go. */
import type { WireName } from '../../models/wires.js'

/** A request as it came, read but not checked: that is for its provider. */
export type Asked = Readonly<Record<string, unknown>>

export interface Door {
  readonly wire: Exclude<WireName, 'ollama'>
  /** The model it asks for, by the body or the path. */
  readonly model: (asked: Asked, params: Readonly<Record<string, string>>) => unknown
  /** Behind the provider's base URL. */
  readonly path: (model: string, params: Readonly<Record<string, string>>) => string
  /** It needs something that only this service has. */
  readonly isOurs: (asked: Asked) => boolean
  /** The answer that it goes on from, where it names one: what was kept here can only go on here. */
  readonly previous?: (asked: Asked) => unknown
  /** False for what asks for a number and not for an answer. */
  readonly answers: boolean
}

const inBody = ({ model }: Asked): unknown => model
const never = (): boolean => false

/** In `gemini-2.5-pro:streamGenerateContent`: the model, and what is done with it. */
export function splitAction(target: string): readonly [model: string, action: string] {
  const colon = target.lastIndexOf(':')
  return colon < 0 ? [target, ''] : [target.slice(0, colon), target.slice(colon + 1)]
}

const actionIn = ({ target = '' }: Readonly<Record<string, string>>) => splitAction(target)

export const doors = {
  messages: { wire: 'anthropic', model: inBody, path: () => '/messages', isOurs: never, answers: true },
  countTokens: {
    wire: 'anthropic',
    model: inBody,
    path: () => '/messages/count_tokens',
    isOurs: never,
    answers: false,
  },
  responses: {
    wire: 'openai-responses',
    model: inBody,
    path: () => '/responses',
    isOurs: ({ conversation, background }) => Boolean(conversation) || background === true,
    previous: ({ previous_response_id }) => previous_response_id,
    answers: true,
  },
  chat: { wire: 'openai-chat', model: inBody, path: () => '/chat/completions', isOurs: never, answers: true },
  google: {
    wire: 'google',
    model: (_, params) => actionIn(params)[0],
    path: (model, params) => `/models/${model}:${actionIn(params)[1]}`,
    isOurs: never,
    answers: true,
  },
} as const satisfies Readonly<Record<string, Door>>
