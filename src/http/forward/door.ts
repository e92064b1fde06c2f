/** What the forwarder has to know of each dialect: how its requests name the model, and where they go. */
import { isRecord, listOf } from '../../core/message/fields.js'
import { callsIn, named } from '../dialect/contents.js'
import { unpacked } from '../dialect/packed.js'
import type { Asked, Door } from '../kit/door.js'

const inBody = ({ model }: Asked): unknown => model
const never = (): boolean => false

/** In `gemini-2.5-pro:streamGenerateContent`: the model, and what is done with it. */
export function splitAction(target: string): readonly [model: string, action: string] {
  const colon = target.lastIndexOf(':')
  return colon < 0 ? [target, ''] : [target.slice(0, colon), target.slice(colon + 1)]
}

const actionIn = ({ target = '' }: Readonly<Record<string, string>>) => splitAction(target)

const streams = ({ stream }: Asked): boolean => stream === true
const same = (messages: readonly unknown[]): readonly unknown[] => messages
const isOfficial = (message: unknown): boolean =>
  isRecord(message) && (message.role === 'system' || message.role === 'developer')
const officialIn = (messages: readonly unknown[]): readonly unknown[] | undefined => {
  const found = messages.filter(isOfficial)
  return found.length === 0 ? undefined : found
}
export const itemsIn = ({ input }: Asked): readonly unknown[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input)

const responses = {
  wire: 'openai-responses',
  model: inBody,
  isOurs: ({ conversation, background }) => Boolean(conversation) || background === true,
  opened: (asked) => {
    const given = listOf(asked.input)
    const input = given.flatMap(unpacked)
    return input.every((item, at) => item === given[at]) ? asked : { ...asked, input }
  },
  previous: ({ previous_response_id }) => previous_response_id,
  isStream: streams,
  history: itemsIn,
  answered: same,
  system: ({ instructions, ...asked }) => instructions ?? officialIn(itemsIn(asked)),
} as const satisfies Partial<Door>

const anthropic = {
  wire: 'anthropic',
  model: inBody,
  isOurs: never,
  isStream: streams,
  history: ({ messages }) => listOf(messages),
  answered: same,
  system: ({ system, messages }) => system ?? officialIn(listOf(messages)),
} as const satisfies Partial<Door>

export const doors = {
  messages: { ...anthropic, path: () => '/messages', isCount: never },
  countTokens: { ...anthropic, path: () => '/messages/count_tokens', isCount: () => true },
  responses: { ...responses, path: () => '/responses', isCount: never },
  compact: { ...responses, path: () => '/responses/compact', isCount: () => true },
  chat: {
    wire: 'openai-chat',
    model: inBody,
    path: () => '/chat/completions',
    isOurs: never,
    isCount: never,
    isStream: streams,
    history: ({ messages }) => listOf(messages),
    answered: same,
    system: ({ messages }) => officialIn(listOf(messages)),
  },
  google: {
    wire: 'google',
    model: (_, params) => actionIn(params)[0],
    path: (model, params) => `/models/${model}:${actionIn(params)[1]}`,
    isOurs: never,
    isCount: (params) => actionIn(params)[1] === 'countTokens',
    isStream: (_, params) => actionIn(params)[1] === 'streamGenerateContent',
    history: ({ contents }) => named(listOf(contents)),
    answered: (messages, { contents }) => {
      const before = callsIn(listOf(contents))
      return named(messages, (n) => `call_${before + n}`)
    },
    system: ({ systemInstruction }) => systemInstruction,
  },
} as const satisfies Readonly<Record<string, Door>>
