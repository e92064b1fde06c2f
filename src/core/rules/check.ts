import type { Target, Violation } from '../message/target.js'
import { judgeAiSdk } from './ai-sdk.js'
import { judgeAnthropic } from './anthropic.js'
import { judgeGoogle } from './google.js'
import { type Json, readJson } from './json.js'
import { judgeMessages } from './messages.js'
import { judgeOpenaiChat } from './openai-chat.js'
import { judgeOpenaiResponses } from './openai-responses.js'
import type { Report } from './rule.js'
import { judgeTextNumbered } from './text-numbered.js'
import { judgeTextTagged } from './text-tagged.js'

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
