/** `throughline policies list`: every preset with its limits. */
import { presets } from '../../core/policy/presets/index.js'
import type { Policy } from '../../core/policy/schema.js'
import { exits } from '../kit/failure.js'
import { put, putJson } from '../kit/sink.js'
import { number, paintFor, table, widthOf, wrapped } from '../kit/term.js'

export async function printPolicies(args: { readonly json?: unknown }): Promise<number> {
  const all = Object.values(presets)
  if (args.json) await putJson({ schema: 'throughline.policies/1', policies: all.map(summary) })
  else await put(`${pretty(all).join('\n')}\n`)
  return exits.ok
}

const limitsOf = ({ intake, fit, clip, fold, render }: Policy) => ({
  messages: fit.messages ?? intake.last,
  turns: fit.turns,
  chars: fit.chars,
  tokens: fit.tokens,
  user: clip.user?.over ?? null,
  answer: clip.assistant?.over ?? null,
  tools: fold.tools,
  target: render.target,
})

const summary = (policy: Policy) => ({ name: policy.name, says: policy.says, limits: limitsOf(policy) })

function pretty(policies: readonly Policy[]): string[] {
  const [paint, width] = [paintFor(process.stdout), widthOf(process.stdout) - 1]
  const head = ['policy', 'messages', 'turns', 'chars', 'tokens', 'user', 'answer', 'tools', 'target']
  const rows = policies.map((policy) => [policy.name, ...Object.values(limitsOf(policy)).map(cell)])
  const [top = '', ...lines] = table([head, ...rows], [1, 2, 3, 4, 5, 6])
  return [
    paint.bold(top),
    ...lines.flatMap((line, i) => [
      line,
      ...wrapped(policies[i]?.says ?? '', width).map((says) => paint.dim(` ${says}`)),
    ]),
    '',
    'messages, turns, chars, tokens: limits of the history; user, answer: characters of one message.',
    'model: what the model takes. balanced is the default. More: throughline policies show NAME',
  ]
}

const cell = (value: string | number | null): string =>
  value === null ? '–' : typeof value === 'number' ? number(value) : value
