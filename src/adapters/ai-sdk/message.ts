/** Messages of the AI SDK as its UI holds them: what all versions of it share, so that none has to be installed. */

/** A message on its way in: the SDK leaves the id of an answer empty when no one makes ids. */
export interface UnnamedMessage<P extends UiPart = UiPart> {
  readonly id?: string
  readonly role: 'system' | 'user' | 'assistant'
  readonly parts: readonly P[]
  readonly metadata?: unknown
}

/** A message of a chat. */
export interface UiMessage<P extends UiPart = UiPart> extends UnnamedMessage<P> {
  readonly id: string
}

/** A part of a UI message, whatever else it has. */
export interface UiPart {
  readonly type: string
}

/** A part with all of its fields. */
export type UiFields = Readonly<Record<string, unknown>> & UiPart

/** All of a message but its parts. */
export type Head = Readonly<Record<string, unknown>>

/** What a part of a tool says about its result; the rest is about the call. */
const resultFields = ['state', 'output', 'errorText', 'preliminary', 'resultProviderMetadata'] as const

export const isTool = (part: UiPart): boolean => part.type.startsWith('tool-') || part.type === 'dynamic-tool'

export const callIdOf = (part: UiPart): unknown => (isTool(part) ? (part as UiFields).toolCallId : undefined)

/** The part as it was before its result came. */
export function callSide(part: UiFields): UiFields {
  const rest = Object.entries(part).filter(([field]) => !resultFields.includes(field as 'state'))
  return { ...Object.fromEntries(rest), type: part.type, state: 'input-available' }
}

/** What the result has made of it. */
export const resultSide = (part: UiFields): Head =>
  Object.fromEntries(Object.entries(part).filter(([field]) => resultFields.includes(field as 'state')))

/** As JSON has it: what is undefined is not there. */
export const plainOf = (message: UiMessage): UiMessage => JSON.parse(JSON.stringify(message)) as UiMessage
