/** A request becomes an answer: the same for a stream of them and for a single file. */

import { createHash } from 'node:crypto'
import { defined } from '../core/message/defined.js'
import type { Issue } from '../core/message/issue.js'
import type { Receipt } from '../core/receipt/receipt.js'
import type { Rendered } from '../core/render/render.js'
import type { Counter } from '../core/tokens/counter.js'
import type { Input, WindowItem } from '../core/window/assemble.js'
import { counterFor, type Options, resolvePolicy } from '../core/window/plan.js'
import { issueOf } from './kit/failure.js'
import type { Request } from './kit/request.js'

export type Reply =
  | {
      readonly id: unknown
      readonly ok: true
      readonly items: readonly WindowItem[]
      /** The text, or the list of messages. */
      readonly rendered: string | readonly unknown[]
      /** The whole body, when there is more in it than messages. */
      readonly request?: Rendered
      readonly receipt: Receipt
      readonly warnings: readonly Issue[]
    }
  | { readonly id: unknown; readonly ok: false; readonly error: AnswerFault; readonly warnings: readonly Issue[] }

/** An issue with every field, null where there is nothing to say. */
export type AnswerFault = Pick<Issue, 'code' | 'message'> & {
  readonly [K in 'field' | 'reason' | 'type']: string | null
} & { readonly value: unknown }

export async function answerLine(request: Request): Promise<Reply> {
  const id = request.id ?? null
  try {
    const options = await optionsOf(request)
    const { assembleWithRecall } = await import('../engine/with-recall.js')
    const result = await assembleWithRecall(inputOf(request), request.policy, options)
    if (!result.ok) return { id, ok: false, error: faultOf(result.error), warnings: result.warnings }
    const { items, rendered, receipt, warnings } = result
    const list = listOf(rendered)
    const more = typeof rendered === 'object' && Object.keys(rendered).length > 1
    return { id, ok: true, items, rendered: list, ...(more ? { request: rendered } : null), receipt, warnings }
  } catch (error) {
    return refusing(id, issueOf(error))
  }
}

export const refusing = (id: unknown, issue: Issue): Reply => ({ id, ok: false, error: faultOf(issue), warnings: [] })

const inputOf = ({ messages, current, system, tools }: Request): Input => defined({ messages, current, system, tools })

export async function optionsOf(request: Request): Promise<Options> {
  const { model, budget, target, overrides, compat, risks } = request
  const counter = await exactFor(request)
  const asked = defined({ model, budget, target, overrides, compat, risks, counter })
  return { now: request.now ?? new Date().toISOString(), digest, ...asked }
}

const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** The tokenizer of the model where there is one, unless the policy counts in its own way. */
async function exactFor({ model, policy, overrides, compat }: Request): Promise<Counter | undefined> {
  if (model === undefined) return undefined
  const resolved = resolvePolicy(policy, {
    ...defined({ overrides, compat }),
  })
  return resolved.ok ? (await counterFor(resolved.policy, { model })).counter : undefined
}

function listOf(rendered: Rendered): string | readonly unknown[] {
  if (typeof rendered === 'string') return rendered
  if ('contents' in rendered) return rendered.contents
  return 'input' in rendered ? rendered.input : rendered.messages
}

const faultOf = (issue: Issue): AnswerFault => ({
  ...issue,
  code: issue.code,
  message: issue.message,
  field: issue.field ?? null,
  reason: issue.reason ?? null,
  value: issue.value ?? null,
  type: issue.type ?? null,
})
