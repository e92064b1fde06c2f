/** `throughline policies show NAME`: every field of one policy. */
import { resolvePolicy } from '../../core/plan.js'
import { policyNamed } from '../asked.js'
import { command } from '../command.js'
import { exits, misused, refused } from '../failure.js'
import { put, putJson } from '../sink.js'
import { paintFor, table } from '../term.js'
import { usages } from '../usage.js'
import { fieldsOf, shown } from './fields.js'

export const showCommand = command({
  usage: usages.policies,
  args: { name: { type: 'positional', required: false }, compat: { type: 'string' } },
  run: async (args) => {
    if (args.name === undefined) throw misused('policies show needs a NAME', 'throughline policies list has them')
    if (args.compat !== undefined && args.compat !== 'literal') throw misused("--compat can only be 'literal'")
    const named = await policyNamed(args.name)
    const asked = resolvePolicy(named, args.compat === 'literal' ? { compat: 'literal' } : {})
    if (!asked.ok) throw refused(asked.issue)
    if (args.json) await putJson(asked.policy)
    else {
      const paint = paintFor(process.stdout)
      const { name, says } = asked.policy
      const rows = [...fieldsOf(asked.policy)].map(([field, value]) => [field, shown(value)])
      await put(`${[paint.bold(name), says, '', ...table(rows)].join('\n')}\n`)
    }
    return exits.ok
  },
})
