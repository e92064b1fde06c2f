/** A summary is checked before it is taken: what must not vanish is added to the letter, or the summary is refused. */
import type { Brief, Cause, Statement } from './contract.js'
import { type Keep, keepsOf, missingFrom } from './keep.js'
import { telling } from './telling.js'
import { ordered, textOf } from './write.js'

export type Accepted =
  | { readonly ok: true; readonly statements: readonly Statement[]; readonly text: string; readonly added: number }
  | { readonly ok: false; readonly cause: Cause }

export interface Measure {
  /** Tokens of a text. */
  readonly count: (text: string) => number
  /** Tokens that the summary may have, whatever is added to it. */
  readonly most: number
}

/** What the summary before this one kept goes on as far as there is room; a history without end has no room for all. */
export function accept(brief: Brief, given: readonly Statement[], { count, most }: Measure): Accepted {
  const known = new Set([...brief.said.map(({ id }) => id), ...brief.previous.flatMap(({ sources }) => sources)])
  const sound = given.filter((one) => !looksFailed(one.text)).flatMap((one) => sourced(one, brief, known))
  if (sound.length === 0 || looksFailed(textOf(sound))) return { ok: false, cause: 'summary_empty' }
  const { must, nice } = keepsOf(brief.said)
  const whole = within(sound, must, { count, most })
  if (!whole) return { ok: false, cause: 'summary_too_large' }
  const held = filled(whole.statements, heldBefore(brief.previous), { count, most: usualShare * most })
  const last = filled(held.statements, nice, { count, most: usualShare * most })
  const { statements } = last
  return { ok: true, statements, text: textOf(statements), added: whole.added + held.added + last.added }
}

interface Filled {
  readonly statements: readonly Statement[]
  readonly added: number
}

/** What must not vanish comes first: statements without any of it give way to it, the last facts before the rest. */
function within(sound: readonly Statement[], must: readonly Keep[], { count, most }: Measure): Filled | null {
  const worth = ({ section, text }: Statement): number =>
    (section === 'fact' ? 0 : 1) + 2 * must.filter((keep) => text.includes(keep.text)).length
  const best = sound.map((statement, at) => ({ statement, at, worth: worth(statement) }))
  best.sort((one, other) => other.worth - one.worth || one.at - other.at)
  for (let take = best.length; take > 0; take -= Math.ceil(take / 8)) {
    const chosen = best.slice(0, take).sort((one, other) => one.at - other.at)
    const left = chosen.map(({ statement }) => statement)
    const lost = missingFrom(textOf(left), must)
    const statements = ordered([...left, ...exact(lost)])
    if (count(textOf(statements)) <= most) return { statements, added: lost.length }
  }
  return null
}

/** What was kept before, and what is only worth keeping, leaves room for the summary to go on. */
const usualShare = 0.6

/** Things to the letter, a few in one statement; what is open speaks for itself. */
export function exact(keeps: readonly Keep[]): readonly Statement[] {
  const open = keeps.filter(({ kind }) => kind === 'open')
  const rest = keeps.filter(({ kind }) => kind !== 'open')
  const groups = Array.from({ length: Math.ceil(rest.length / 8) }, (_, at) => rest.slice(at * 8, at * 8 + 8))
  return [
    ...open.map(({ text, source }): Statement => ({ section: 'open', text, sources: [source] })),
    ...groups.map(
      (group): Statement => ({
        section: 'exact',
        text: group.map(({ text }) => text).join('; '),
        sources: [...new Set(group.map(({ source }) => source))],
      }),
    ),
  ]
}

function heldBefore(previous: readonly Statement[]): readonly Keep[] {
  return previous.flatMap(({ section, text, sources: [source = ''] }) =>
    section === 'exact'
      ? text.split('; ').map((piece): Keep => ({ kind: 'id', text: piece, source }))
      : [...keepsOf([{ id: source, voice: 'user', text, at: '' }]).must],
  )
}

/** As many as there is room for. */
function filled(statements: readonly Statement[], keeps: readonly Keep[], { count, most }: Measure): Filled {
  const lost = missingFrom(textOf(statements), keeps)
  for (let take = lost.length; take > 0; take = Math.floor(take / 2)) {
    const more = ordered([...statements, ...exact(lost.slice(0, take))])
    if (count(textOf(more)) <= most) return { statements: more, added: take }
  }
  return { statements, added: 0 }
}

/** A statement that names no source gets those whose words it has; one that has nobody's words is nobody's. */
function sourced(statement: Statement, { previous, said }: Brief, known: ReadonlySet<string>): readonly Statement[] {
  const named = [...new Set(statement.sources.filter((source) => known.has(source)))]
  if (named.length > 0) return [{ ...statement, sources: named }]
  const terms = telling(statement.text)
  const scores = [
    ...said.map(({ id, text }) => [[id], text] as const),
    ...previous.map((one) => [one.sources, one.text] as const),
  ]
    .map(([sources, text]) => ({ sources, shared: [...telling(text)].filter((term) => terms.has(term)).length }))
    .filter(({ shared }) => shared > 0 && shared >= terms.size * 0.4)
    .sort((one, other) => other.shared - one.shared)
  const sources = scores[0]?.sources ?? []
  return sources.length === 0 ? [] : [{ ...statement, sources }]
}

const error =
  /^\W*(?:error\b|(?:i'?m |i am )?(?:sorry|unable)\b|i can(?:no|')t\b|as an ai\b|rate limit|too many requests|internal server error|service unavailable|\{"?(?:error|message)|request failed|no (?:content|summary)|null$|undefined$|n\/?a$)/i

/** What a failing service says instead of a summary. */
export const looksFailed = (text: string): boolean =>
  !/[\p{L}\p{N}]/u.test(text) || error.test(text.replace(/^[\w ]+:\n- /, ''))
