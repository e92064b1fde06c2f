import type { Target } from '../message/target.js'
import { aiSdkRules } from './ai-sdk.js'
import { anthropicRules } from './anthropic.js'
import { googleRules } from './google.js'
import { jsonRules } from './json-rules.js'
import { messagesRules } from './messages.js'
import { openaiChatRules } from './openai-chat.js'
import { openaiResponsesRules } from './openai-responses.js'
import { promptRules } from './prompt.js'
import type { Rule } from './rule.js'
import { textNumberedRules } from './text-numbered.js'
import { textTaggedRules } from './text-tagged.js'

/** The written-down rules of each target: every name that `check` can return, with its meaning. */
export const rules: Readonly<Record<Target, readonly Rule[]>> = {
  'openai-chat': [...jsonRules, ...openaiChatRules],
  'openai-responses': [...jsonRules, ...openaiResponsesRules],
  anthropic: [...jsonRules, ...anthropicRules],
  google: [...jsonRules, ...googleRules],
  'ai-sdk': [...jsonRules, ...aiSdkRules],
  'text-tagged': [...jsonRules, ...promptRules, ...textTaggedRules],
  'text-numbered': [...jsonRules, ...promptRules, ...textNumberedRules],
  messages: [...jsonRules, ...messagesRules],
}
