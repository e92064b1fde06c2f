import { type Target, targets } from '../message/target.js'
import { aiSdkRules } from './ai-sdk.js'
import { jsonRules } from './json-rules.js'
import { messagesRules } from './messages.js'
import { promptRules } from './prompt.js'
import { anthropicRules } from './table/anthropic.js'
import { compatibleChatRules, compatibleResponsesRules } from './table/compatible.js'
import { googleRules } from './table/google.js'
import { openaiChatRules, openaiResponsesRules } from './table/openai.js'
import type { Rule } from './table/rule.js'
import { textNumberedRules } from './text-numbered.js'
import { textTaggedRules } from './text-tagged.js'

const tables: Readonly<Record<Target, readonly Rule[]>> = {
  'openai-chat': [...jsonRules, ...openaiChatRules, ...compatibleChatRules],
  'openai-responses': [...jsonRules, ...openaiResponsesRules, ...compatibleResponsesRules],
  anthropic: [...jsonRules, ...anthropicRules],
  google: [...jsonRules, ...googleRules],
  'ai-sdk': [...jsonRules, ...aiSdkRules],
  'text-tagged': [...jsonRules, ...promptRules, ...textTaggedRules],
  'text-numbered': [...jsonRules, ...promptRules, ...textNumberedRules],
  messages: [...jsonRules, ...messagesRules],
}

/** What a window does about rules that targets share. */
const repairs: Readonly<Record<string, string>> = {
  'messages.empty': 'A window without a message is refused before it is sent.',
  'message.first': 'What stands before the first user message is left out, or a cue from the user goes before it.',
  'message.order': 'Neighbours of one role become one message.',
  'message.last': 'A cue from the user ends the request.',
  'message.role': 'Messages of an unknown role are refused on intake.',
  'content.empty': 'Empty messages are left out.',
  'text.blank': 'Blank texts are left out.',
  'part.type': 'Parts that the role cannot hold are told as text.',
  'part.source': 'Files that cannot be loaded are described in words.',
  'string.malformed': 'Lone surrogates become U+FFFD.',
  'tool.id': 'An id of another form is replaced by one derived from it, on both halves.',
  'tool.id.repeated': 'The later one gets a new id, on both halves.',
  'tool.name': 'Other characters become _, and the name is cut.',
  'tool.input': 'What is not an object is wrapped in one.',
  'tool.arguments': 'Arguments are written as JSON.',
  'tool.output': 'Outputs are written in the form of the target.',
  'tool.calls': 'Calls of other roles become assistant messages of their own.',
  'tool.result.missing': 'The call is closed with a note that it was interrupted.',
  'tool.result.orphan': 'A result without its call is left out.',
  'tool.result.repeated': 'The first result counts.',
  'tool.result.place': 'Results are written first.',
  'thinking.place': 'Thinking that may not stand where it does is left out, with the rest of its message’s.',
  'item.id.repeated': 'The later one is left out.',
}

/** The written-down rules of each target: every id that `check` can return, with its meaning. */
export const rules = /* @__PURE__ */ withRepairs()

function withRepairs(): Readonly<Record<Target, readonly Rule[]>> {
  const filled = (rule: Rule): Rule => {
    const repair = rule.repair ?? repairs[rule.rule]
    return repair === undefined ? rule : { ...rule, repair }
  }
  const out: Record<Target, readonly Rule[]> = { ...tables }
  for (const target of targets) out[target] = tables[target].map(filled)
  return out
}
