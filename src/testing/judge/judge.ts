import { anthropic } from './anthropic.js'
import { bedrock } from './bedrock.js'
import { claudeThinking } from './claude-thinking.js'
import { compatible } from './compatible.js'
import { gemini } from './gemini.js'
import { openaiChat } from './openai-chat.js'
import { openaiResponses } from './openai-responses.js'
import { type JudgeRequest, type JudgeRule, type Scope, scopeOf } from './scope.js'

/** One reason why the provider would refuse a request, in its own words. */
export interface Refusal {
  readonly rule: string
  readonly status: number
  readonly type: string
  readonly message: string
  readonly path: string
}

/** The rules that hold for a request. */
export function rulesFor(scope: Scope): readonly JudgeRule[] {
  if (scope.dialect === 'anthropic') {
    return [...anthropic, ...claudeThinking, ...(scope.host === 'bedrock' ? bedrock : [])]
  }
  if (scope.dialect === 'gemini') return gemini
  if (scope.dialect === 'responses') return openaiResponses
  return compatible[scope.host] ?? openaiChat
}

/**
 * Says why a provider would refuse a request body. It is written from the providers' documents and the errors that
 * people got, and shares no code with the rest of the package, so that the two can disagree.
 * @example judge({ provider: 'openai-chat', body }).map(({ message }) => message)
 */
export function judge(request: JudgeRequest, rules = rulesFor(scopeOf(request))): readonly Refusal[] {
  const scope = scopeOf(request)
  const type = { chat: invalid, responses: invalid, anthropic: invalid, gemini: 'INVALID_ARGUMENT' }[scope.dialect]
  return rules.flatMap((rule) =>
    [...rule.find(scope)].map(([path, message]) => ({
      rule: rule.id,
      status: typeof rule.status === 'function' ? rule.status(scope) : (rule.status ?? 400),
      type: rule.type ?? (scope.host === 'bedrock' ? 'ValidationException' : type),
      message,
      path,
    })),
  )
}

const invalid = 'invalid_request_error'
