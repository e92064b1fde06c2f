/** What is kept and will never be sent, said when it is appended and not when someone wonders. */
import type { Issue } from '../core/message/issue.js'
import type { Policy } from '../core/policy/schema.js'
import type { Entry, NewEntry } from '../store/contract/entry.js'

/** `leads`: nothing but system messages comes before the entries on their path. */
export function unsentWarnings(entries: readonly NewEntry[], { name, intake }: Policy, leads: boolean): Issue[] {
  let first = leads
  return entries.flatMap(({ body, author }, i) => {
    if (body.kind !== 'message') return []
    const role = author === 'orchestrator' && body.role === 'assistant' ? author : body.role
    const field = `messages[${i}]`
    if (role === 'system') return first && /^(lead|prompt)$/.test(intake.system) ? [] : [systemUnsent(field, name)]
    first = false
    if (intake.roles.includes(role)) return []
    const message = `the message is kept, but no window shows it: the policy '${name}' leaves out the role '${role}'`
    return [{ code: 'message.unsent', field: `${field}.role`, value: role, message }]
  })
}

/** Whether what is written after an entry can still lead. */
export const isLead = (last: Entry | null): boolean =>
  last === null || (last.depth === 0 && last.body.kind === 'message' && last.body.role === 'system')

const systemUnsent = (field: string, policy: string): Issue => ({
  code: 'message.unsent',
  field: `${field}.role`,
  value: 'system',
  message: `the system message is kept, but no model gets it under the policy '${policy}'`,
  suggestion: 'give the system prompt as openHistory({ system }) or history.window({ system })',
})
