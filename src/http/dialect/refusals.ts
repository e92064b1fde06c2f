/** What a turn in another API's words can be refused for, and the statuses its clients know. */

import type { Envelope, ProblemCode } from '../kit/problem.js'
import { modelProblems } from '../live/failed.js'

export const turnProblems: readonly ProblemCode[] = [
  'already_answered',
  'busy',
  'gone',
  'head_moved',
  'id_conflict',
  'invalid',
  'policy_invalid',
  'refused',
  'too_many_runs',
  'unknown_call',
  'unknown_model',
  ...modelProblems,
]

/** What can be mended by the caller is a bad request there, and what is gone was never there. */
export const plainStatuses = {
  gone: 404,
  unknown_model: 404,
  invalid: 400,
  key_reused: 400,
  unknown_parent: 400,
  unknown_call: 400,
  policy_invalid: 400,
  refused: 400,
} as const satisfies Envelope['statuses']
