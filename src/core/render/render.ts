/** Writes a window down in the form a target takes. */
import type { Item, Role } from '../message/item.js'
import type { Target } from '../message/target.js'
import type { Window } from '../message/window.js'
import type { Traits } from '../profile/traits.js'
import { type Mended, mend } from '../window/mend/mend.js'
import { plainText } from '../window/mend/plain.js'
import { type AiSdkRequest, writeAiSdk } from './ai-sdk.js'
import { type AnthropicRequest, writeAnthropic } from './anthropic.js'
import { bind } from './bind.js'
import { type GoogleRequest, writeGoogle } from './google.js'
import { type OpenaiChatRequest, writeOpenaiChat } from './openai-chat.js'
import { type OpenaiResponsesRequest, writeOpenaiResponses } from './openai-responses.js'
import { systemOf, type Tools, toolsOf } from './request.js'
import { writeTextNumbered } from './text-numbered.js'
import { writeTextTagged } from './text-tagged.js'

// Plain messages: a role and a text each.

interface PlainMessage {
  readonly role: Role
  readonly content: string
}

/** Plain messages, for models that take nothing but text. */
export interface MessagesRequest<Tool = unknown> extends Tools<Tool> {
  readonly system?: string
  readonly messages: PlainMessage[]
}

function writeMessages(mended: Mended, window: Window): MessagesRequest {
  const system = systemOf(mended)
  const messages = mended.items.map((item) => ({ role: item.role, content: plainText(item, window.style.think) }))
  return { ...(system && { system }), messages, ...toolsOf(window) }
}

/** The form of each target; the tools are those that were given. */
export interface RenderedBy<Tool = unknown> {
  'openai-chat': OpenaiChatRequest<Tool>
  'openai-responses': OpenaiResponsesRequest<Tool>
  anthropic: AnthropicRequest<Tool>
  google: GoogleRequest<Tool>
  'ai-sdk': AiSdkRequest
  messages: MessagesRequest<Tool>
  'text-tagged': string
  'text-numbered': string
}

/** The request that a target takes, as its SDK types it. */
export type Rendered<T extends Target = Target, Tool = unknown> = RenderedBy<Tool>[T]

const writers: { readonly [T in Target]: (mended: Mended, window: Window) => RenderedBy[T] } = {
  'openai-chat': writeOpenaiChat,
  'openai-responses': writeOpenaiResponses,
  anthropic: writeAnthropic,
  google: writeGoogle,
  'ai-sdk': writeAiSdk,
  messages: writeMessages,
  'text-tagged': writeTextTagged,
  'text-numbered': writeTextNumbered,
}

/** Writes a window for a provider, made legal first. @example const { messages } = render(window, 'openai-chat') */
export const render = <T extends Target>(window: Window, target: T): Rendered<T> =>
  renderMended(prepare(window, target), window, target)

/** A window made legal for its target. `clean` may remember its answers by item: items do not change. */
export function prepare(window: Window, target: Target, clean?: (item: Item) => boolean, traits?: Traits): Mended {
  const mended = mend(window, target, clean, traits)
  return target === 'anthropic' ? bind(mended, window) : mended
}

/** For a window that was mended for this target already. */
export const renderMended = <T extends Target>(mended: Mended, window: Window, target: T): Rendered<T> =>
  writers[target](mended, window)
