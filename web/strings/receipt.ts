/** What a receipt says wherever it is shown: under an answer, on the field, in the inspector. */
import type { Column, Saw, Stretch } from '../receipt/saw.js'
import { kilo, many, count as number } from './number.js'

const columns: Readonly<Record<Column, string>> = {
  seen: 'seen',
  recalled: 'recalled',
  short: 'shortened',
  summary: 'only in a summary',
  out: 'left out',
  missed: 'with details the model could not see',
  question: 'your question',
}

export const words = {
  saw: 'Saw',
  sawOf: (seen: number, of: number) => `${number(seen)} of ${number(of)}`,
  tokensOf: ({ used, window }: Saw) =>
    window === null ? `${kilo(used)} tokens` : `${kilo(used)} of ${kilo(window)} tokens`,
  strip(stretches: readonly Stretch[]): string {
    const sums = new Map<Column, number>()
    for (const { column, count } of stretches) sums.set(column, (sums.get(column) ?? 0) + count)
    return `Oldest to newest: ${[...sums].map(([column, count]) => (column === 'question' ? columns.question : `${number(count)} ${columns[column]}`)).join(', ')}`
  },
  missing: (text: string) => `${text} missing`,
  missingTitle: 'Details the model could not see',
  missingIn: (details: number, messages: number) => `${number(details)} in ${many(messages, 'message', 'messages')}`,
  seeWhere: 'See where',
  bringBack: 'Bring back',
  bringAll: 'Bring all back',
  broughtBack: 'Pinned',
  cost: (tokens: number) => `+${number(tokens)}`,
  costs: (tokens: number) => `costs ${many(Math.round(tokens), 'token', 'tokens')}`,
  pinnedNext: 'Pinned. It goes along from the next question on.',
  askAgain: 'Ask again',
  kinds: {
    path: 'path',
    command: 'command',
    number: 'number',
    url: 'address',
    name: 'name',
    reference: 'reference',
    amount: 'amount',
    decision: 'decision',
  } as Readonly<Record<string, string>>,

  next: ({ seen, of }: Saw) => `Next: sees ${number(seen)} of ${number(of)}`,
  last: ({ seen, of }: Saw) => `Saw ${number(seen)} of ${number(of)}`,
  wouldLeave: (count: number) => `The model would not see ${many(count, 'message', 'messages')}`,
  also: (text: string) => `, ${text} among them`,
  seeWhich: 'See which',
}
