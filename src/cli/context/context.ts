/** `throughline context`: what the next turn would send, and why. Never asks a model, never writes. */
import { explain, reasonOf, signs } from '../../core/receipt/explain.js'
import type { Entry } from '../../store/contract/entry.js'
import { conversationNamed, findEntry } from '../history/find.js'
import { entrySpeaker, entryWords } from '../history/speaker.js'
import { countFlag } from '../kit/counts.js'
import { type Cli, type DeskOptions, reading } from '../kit/desk.js'
import { exits, misused, notFound } from '../kit/failure.js'
import { segmentsOf } from '../kit/picture.js'
import { presetName, recallNamed } from '../kit/policy.js'
import { put, putJson } from '../kit/sink.js'
import { number, type Paint, paintFor, printable, short, widthOf } from '../kit/term.js'
import { difference, differenceText } from './difference.js'
import { type Fated, fatesOf } from './fates.js'
import { type Made, make } from './make.js'
import { picture } from './picture.js'

type Flags = DeskOptions<
  'id' | 'conversation' | 'branch' | 'model' | 'policy' | 'recall' | 'budget' | 'current' | 'why',
  'continue' | 'wire' | 'diff' | 'all'
>

export async function showContext(flags: Flags): Promise<number> {
  if (flags.continue && flags.conversation !== undefined) throw misused('give -c or -t ID, not both')
  if ([flags.why !== undefined, flags.wire, flags.diff].filter(Boolean).length > 1)
    throw misused('give one of --why, --wire and --diff')
  const budget = flags.budget === undefined ? undefined : countFlag(flags.budget, '--budget', 0)
  const policy = flags.policy === undefined ? undefined : presetName(flags.policy)
  const recall = recallNamed(flags.recall)
  await reading(flags, async (desk) => {
    const found = await conversationNamed(desk, flags.conversation ?? flags.id ?? '@last')
    const { branch, model, current } = flags
    await tell(desk, await make(desk, found, { branch, model, policy, recall, budget, current }), flags)
  })
  return exits.ok
}

async function tell(desk: Cli, made: Made, flags: Flags): Promise<void> {
  const { json } = flags
  const [width, paint] = [widthOf(process.stdout), paintFor(process.stdout)]
  if (flags.wire) {
    const { rendered } = made.window
    return typeof rendered === 'string' && !json ? put(`${rendered}\n`) : putJson(rendered)
  }
  if (flags.why !== undefined) {
    const entry = await findEntry(desk, made.conversation.id, flags.why, made.branch)
    const fated = fateOf(made, entry)
    return json
      ? putJson({ schema: 'throughline.fate/1', ...plain(fated) })
      : put(`${why(made, fated, width, paint)}\n`)
  }
  if (flags.diff) {
    const found = await difference(desk, made)
    return json ? putJson({ schema: 'throughline.diff/1', ...found }) : put(`${differenceText(found, made)}\n`)
  }
  return json ? putJson(documentOf(made)) : put(`${picture(made, width, paint, flags.all === true)}\n`)
}

function documentOf(made: Made): object {
  const { receipt } = made.window
  return {
    schema: 'throughline.context/1',
    conversation: made.conversation.id,
    branch: made.branch,
    head: made.head,
    receipt,
    ...segmentsOf(receipt),
    messages: fatesOf(made).map(plain),
    text: explain(receipt),
  }
}

const plain = ({ index, entry, fate, rule, tokens }: Fated) => ({
  index,
  number: entry?.seq ?? null,
  entry: entry?.id ?? null,
  fate,
  rule,
  tokens,
})

// One message of a window: what became of it, by which rule, and what it would cost to have it back.

function fateOf(made: Made, entry: Entry): Fated {
  const found = fatesOf(made).find((one) => one.entry?.id === entry.id)
  if (found) return found
  throw notFound(
    `message ${entry.seq} is not on branch ${made.branch}, or it is the one to answer`,
    'throughline show ID --branches draws where it is',
  )
}

function why(made: Made, fated: Fated, width: number, paint: Paint): string {
  const { fate, rule, tokens } = fated
  const entry = fated.entry as Entry
  const { request, policy } = made.window.receipt
  const [before, sent] = tokens
  const rest = before - sent
  const free = request.free ?? Number.POSITIVE_INFINITY
  const item = made.window.items.find(({ index }) => index === fated.index)
  return [
    paint.bold(`${entry.seq} ${printable(entrySpeaker(entry))} · ${signs[fate]} ${fate}: ${reasonOf(rule)} (${rule})`),
    `${number(sent)} of ${number(before)} tokens would be sent, under the policy ${policy.name}`,
    ...(rest > 0 ? [`+${number(rest)} tokens bring it back whole; ${freely(request.free, rest <= free)}`] : []),
    '',
    `said  ${short(printable(entryWords(entry)), width - 6)}`,
    ...(item && rest > 0 ? [`sent  ${short(printable(item.text), width - 6)}`] : []),
  ].join('\n')
}

function freely(free: number | null, fits: boolean): string {
  if (free === null) return 'no limit in tokens stands in its way'
  return `${number(free)} are free, ${fits ? 'but whole turns come back, never half of one' : 'so something else would have to go'}`
}
