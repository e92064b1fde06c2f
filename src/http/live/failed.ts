/** A run that did not end well, told as a problem. The user's message stays either way. */
import type { Run } from '../../runs/contract.js'
import { Problem, type ProblemCode } from '../kit/problem.js'
import { failedModel } from '../kit/refusals.js'

/** What can go wrong with a model, for the documents. */
export const modelProblems: readonly ProblemCode[] = [
  'model_failed',
  'model_overflow',
  'model_rate_limited',
  'model_overloaded',
  'model_silent',
  'interrupted',
]

export function problemOfRun({ id, conversation, asked, error }: Run): Problem {
  const { code, message } = error ?? { code: 'unknown', message: 'the run did not end well' }
  const more = { run_id: id, conversation_id: conversation, message_id: asked, reason: code }
  if (code.includes('.')) return new Problem('refused', { detail: message, more })
  return failedModel({ code, message }, { more })
}
