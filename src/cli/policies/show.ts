/** `throughline policies show NAME`: every field of one policy. */

import type { Policy } from '../../core/policy/schema.js'
import { resolvePolicy } from '../../core/window/plan.js'
import { exits, inputRefused, misused, notOneOf } from '../kit/failure.js'
import { policyNamed } from '../kit/policy.js'
import { put, putJson } from '../kit/sink.js'
import { paintFor, table } from '../kit/term.js'
import { fieldText, policyFields } from './fields.js'

interface Args {
  readonly json?: unknown
  readonly name?: string | undefined
  readonly compat?: string | undefined
}

export async function showPolicy({ json, name, compat }: Args): Promise<number> {
  if (name === undefined) throw misused('policies show needs a NAME', 'throughline policies list has them')
  if (compat !== undefined && compat !== 'literal') throw notOneOf('--compat', compat, ['literal'])
  const asked = resolvePolicy(await policyNamed(name), compat === undefined ? {} : { compat })
  if (!asked.ok) throw inputRefused(asked.issue)
  if (json) await putJson(asked.policy)
  else await put(`${pretty(asked.policy).join('\n')}\n`)
  return exits.ok
}

function pretty(policy: Policy): string[] {
  const rows = [...policyFields(policy)].map(([field, value]) => [field, fieldText(value)])
  return [paintFor(process.stdout).bold(policy.name), policy.says, '', ...table(rows)]
}
