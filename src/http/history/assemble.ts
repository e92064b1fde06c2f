/** A window without a run: what a model would get, and why. Nothing is written. */

import type { z } from 'zod'
import type { Issue } from '../../core/message/issue.js'
import { choiceOf } from '../../core/policy/presets/index.js'
import type { Overrides } from '../../core/policy/schema.js'
import { explain } from '../../core/receipt/explain.js'
import type { Assembled } from '../../core/window/assemble.js'
import type { Marks } from '../../core/window/marks.js'
import type { Options } from '../../core/window/plan.js'
import { recallFromOf, remembering } from '../../engine/remembering.js'
import { windowOf } from '../../engine/window.js'
import { assembleWithRecall } from '../../engine/with-recall.js'
import { assembleBody, windowSchema } from '../../operations/shapes/window.js'
import type { Context } from '../context.js'
import { Problem } from '../problem.js'
import { type Route, route } from '../route.js'
import { findConversation, headOf } from './open.js'

export const assembleRoutes: readonly Route[] = [
  route({
    name: 'assembleWindow',
    method: 'post',
    path: '/api/v1/context/assemble',
    tag: 'windows',
    summary: 'The window of a conversation, or of messages you send; nothing is kept',
    scope: 'read',
    owned: { 'body.conversation_id': 'conversation' },
    body: assembleBody,
    answers: { 200: windowSchema },
    problems: ['policy_invalid', 'refused', 'gone'],
    example: { body: { conversation_id: 'c_1', budget: 4_000, target: 'anthropic' } },
    handle: make,
  }),
]

type Asked = z.output<typeof assembleBody>

async function make(context: Context<unknown, unknown, Asked>) {
  const { body } = context
  const made = body.conversation_id === undefined ? await ofMessages(context) : await ofConversation(context, body)
  if (!made.ok) throw refused(made.error, made.warnings)
  const { items, rendered, receipt, warnings } = made
  return { request: rendered, items, receipt, explanation: explain(receipt), warnings, head_id: made.head }
}

type Made = Assembled & { readonly head: string | null }

async function ofMessages({ frame, body }: Context<unknown, unknown, Asked>): Promise<Made> {
  const input = { ...inputOf(body), messages: body.messages ?? [] }
  const made = await assembleWithRecall(input, choiceOf(body.policy ?? frame.policy), optionsOf(body), frame.recaller)
  return { ...made, head: null }
}

async function ofConversation(context: Context<unknown, unknown, Asked>, body: Asked): Promise<Made> {
  const { frame, workspace } = context
  const { id, meta } = await findConversation(context, body.conversation_id ?? '')
  const { branch = 'main' } = body
  await headOf(context, id, branch)
  const own = { ...textIn(meta, 'model'), ...textIn(meta, 'system') }
  const policy = body.policy ?? textIn(meta, 'policy').policy ?? frame.policy
  const options = optionsOf(body)
  const overrides = remembering(recallFromOf(body.recall, meta.recall), policy, options.overrides)
  const request = { ...own, ...inputOf(body), ...options, ...(overrides && { overrides }), policy }
  const recaller = frame.recaller && { recaller: frame.recaller }
  const made = await windowOf(frame.sources(workspace, id), branch, { ...request, ...recaller })
  return { ...made, head: made.hydrated.head }
}

const textIn = (meta: Readonly<Record<string, unknown>>, name: string): Record<string, string> =>
  typeof meta[name] === 'string' ? { [name]: meta[name] } : {}

const inputOf = ({ current, system, tools, marks }: Asked) => ({
  ...(current === undefined ? null : { current }),
  ...(system === undefined ? null : { system }),
  ...(tools === undefined ? null : { tools }),
  ...(marks === undefined ? null : { marks: marks as Marks }),
})

const optionsOf = ({ overrides, compat, budget, model, target, risks }: Asked): Options => ({
  // what is wrong in them is told by the policy's own check
  ...(overrides === undefined ? null : { overrides: overrides as Overrides }),
  ...(compat === undefined ? null : { compat }),
  ...(budget === undefined ? null : { budget }),
  ...(model === undefined ? null : { model }),
  ...(target === undefined ? null : { target }),
  ...(risks === undefined ? null : { risks }),
})

/** As a problem: whose fault it is, and where. */
export function refused(error: Issue, warnings: readonly Issue[]): Problem {
  const isPolicy = /^(?:policy|options)\./.test(error.code)
  const errors = [error, ...(isPolicy ? warnings : [])].map(({ field = '', message }) => ({ path: field, message }))
  return new Problem(isPolicy ? 'policy_invalid' : 'refused', {
    detail: error.message,
    errors,
    more: { issue: error.code },
  })
}
