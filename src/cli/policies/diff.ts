/** `throughline policies diff A B`: the fields in which two policies differ. */
import { exits, misused } from '../kit/failure.js'
import { policyNamed } from '../kit/policy.js'
import { put, putJson, say } from '../kit/sink.js'
import { paintFor, table } from '../kit/term.js'
import { fieldText, policyFields } from './fields.js'

interface Args {
  readonly json?: unknown
  readonly one?: string | undefined
  readonly other?: string | undefined
}

export async function diffPolicies({ json, one, other }: Args): Promise<number> {
  if (one === undefined || other === undefined)
    throw misused('policies diff needs two names', 'throughline policies diff balanced agent-turns')
  const [a, b] = [policyFields(await policyNamed(one)), policyFields(await policyNamed(other))]
  const rows = [...new Set([...a.keys(), ...b.keys()])]
    .map((field) => ({ field, a: a.get(field) ?? null, b: b.get(field) ?? null }))
    .filter((row) => JSON.stringify(row.a) !== JSON.stringify(row.b))
  if (json) await putJson({ schema: 'throughline.diff/1', a: one, b: other, fields: rows })
  else if (rows.length === 0) say('no difference')
  else {
    const cells = rows.map((row) => [row.field, fieldText(row.a), fieldText(row.b)])
    const [head = '', ...lines] = table([['field', one, other], ...cells])
    await put(`${[paintFor(process.stdout).bold(head), ...lines].join('\n')}\n`)
  }
  return exits.ok
}
