import type { Target, Violation } from '../target.js'
import { aiSdkRules, judgeAiSdk } from './ai-sdk.js'
import { anthropicRules, judgeAnthropic } from './anthropic.js'
import { googleRules, judgeGoogle } from './google.js'
import { type Json, jsonRules, readJson } from './json.js'
import { judgeMessages, messagesRules } from './messages.js'
import { judgeOpenaiChat, openaiChatRules } from './openai-chat.js'
import { judgeOpenaiResponses, openaiResponsesRules } from './openai-responses.js'
import type { Report, Rule } from './rule.js'
import { judgeTextNumbered, textNumberedRules } from './text-numbered.js'
import { judgeTextTagged, textTaggedRules } from './text-tagged.js'

type Judge = (request: Json, report: Report<string>) => void

const judges: Readonly<Record<Target, Judge>> = {
  'openai-chat': judgeOpenaiChat,
  'openai-responses': judgeOpenaiResponses,
  anthropic: judgeAnthropic,
  google: judgeGoogle,
  'ai-sdk': judgeAiSdk,
  'text-tagged': judgeTextTagged,
  'text-numbered': judgeTextNumbered,
  messages: judgeMessages,
}

/** The written-down rules of each target: every name that `check` can return, with its meaning. */
export const rules: Readonly<Record<Target, readonly Rule[]>> = {
  'openai-chat': [...jsonRules, ...openaiChatRules],
  'openai-responses': [...jsonRules, ...openaiResponsesRules],
  anthropic: [...jsonRules, ...anthropicRules],
  google: [...jsonRules, ...googleRules],
  'ai-sdk': [...jsonRules, ...aiSdkRules],
  'text-tagged': [...jsonRules, ...textTaggedRules],
  'text-numbered': [...jsonRules, ...textNumberedRules],
  messages: [...jsonRules, ...messagesRules],
}

/** Every rule of the target that the request breaks; an empty list means that the provider takes it. Never throws. */
export function check(target: Target, request: unknown): Violation[] {
  const found: Violation[] = []
  const report: Report<string> = (rule, path, message) => {
    found.push({ rule, path, message })
  }
  const body = readJson(request, report)
  if (body !== undefined) judges[target](body, report)
  return found
}
