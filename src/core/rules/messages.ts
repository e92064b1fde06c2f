import type { Json } from './json.js'
import { isFields, isOptional, listOf, text } from './shape.js'
import type { NameOf, Report, Rule } from './table/rule.js'

export const messagesRules = [
  { rule: 'request.shape', says: 'The request is { system?, messages } or the list of messages.' },
  { rule: 'system.shape', says: 'system is a string.' },
  { rule: 'messages.empty', says: 'There is at least one message.' },
  { rule: 'message.shape', says: 'Every message is an object.' },
  { rule: 'message.role', says: 'The role is user or assistant, or system on a marker.' },
  { rule: 'content.shape', says: 'Content is a string.' },
  { rule: 'text.blank', says: 'Content is not blank.' },
] as const satisfies readonly Rule[]

const roles = new Set<Json | undefined>(['user', 'assistant', 'system'])

export function judgeMessages(request: Json, report: Report<NameOf<typeof messagesRules>>) {
  if (isFields(request) && !isOptional(request.system)) {
    if (typeof request.system === 'string') text(request.system, 'system', report)
    else report('system.shape', 'system', 'system must be a string')
  }
  const list = listOf(request, 'messages', report)
  if (!list) return
  for (const [i, message] of list.values.entries()) {
    const path = `${list.path}[${i}]`
    if (!isFields(message)) {
      report('message.shape', path, 'a message must be an object')
      continue
    }
    if (!roles.has(message.role)) report('message.role', `${path}.role`, 'unknown role')
    text(message.content, `${path}.content`, report)
  }
}
