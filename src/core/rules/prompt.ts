import { isBlank } from '../message/text.js'
import type { Json } from './json.js'
import { isFields } from './shape.js'
import type { NameOf, Report, Rule } from './table/rule.js'

export const promptRules = [
  { rule: 'request.shape', says: 'The request is { prompt } or the prompt itself.' },
  { rule: 'text.blank', says: 'The prompt is not blank.' },
] as const satisfies readonly Rule[]

export function promptIn(request: Json, report: Report<NameOf<typeof promptRules>>): string | undefined {
  const prompt = isFields(request) ? request.prompt : request
  if (typeof prompt !== 'string') report('request.shape', 'prompt', 'the prompt must be a string')
  else if (isBlank(prompt)) report('text.blank', 'prompt', 'the prompt must not be blank')
  else return prompt
  return undefined
}
