import type { Target, Violation } from '../message/target.js'
import { judgeAiSdk } from './ai-sdk.js'
import { judgeAnthropic } from './anthropic.js'
import { judgeGoogle } from './google.js'
import { type Json, readJson } from './json.js'
import { judgeMessages } from './messages.js'
import { judgeOpenaiChat } from './openai-chat.js'
import { judgeOpenaiResponses } from './openai-responses.js'
import { rules } from './rules.js'
import { type CheckContext, type Scope, scopeOf } from './scope.js'
import type { Report, Rule } from './table/rule.js'
import { judgeTextNumbered } from './text-numbered.js'
import { judgeTextTagged } from './text-tagged.js'

type Judge = (request: Json, report: Report<string>, scope: Scope) => void

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

/**
 * Every rule of the target that the request breaks, with the words of the provider's refusal where they are known; an
 * empty list means that the provider takes it. Never throws.
 * @example check('anthropic', body).map(({ rule, message }) => `${rule}: ${message}`)
 */
export function check(target: Target, request: unknown, context: CheckContext = {}): Violation[] {
  const found: Violation[] = []
  const report: Report<string> = (rule, path, message) => {
    const { wording, kind, code } = ruleOf(target, rule)
    if (kind === 'loss' && !context.losses) return
    found.push({ rule, path, message, ...(wording && { wording }), ...(code && { code }) })
  }
  const body = readJson(request, report)
  const before = context.before === undefined ? undefined : readJson(context.before, () => undefined)
  if (body !== undefined) judges[target](body, report, scopeOf(target, body, context, before))
  return found
}

const tables = /* @__PURE__ */ new Map<Target, ReadonlyMap<string, Rule>>()

function ruleOf(target: Target, name: string): Partial<Rule> {
  const table = tables.get(target) ?? new Map(rules[target].map((rule) => [rule.rule, rule]))
  tables.set(target, table)
  return table.get(name) ?? {}
}
