/** What the list says of an operation, at the terminal. */
import { fieldWords } from '../operations/fields.js'
import { operations } from '../operations/list.js'
import { notCalled } from './call.js'
import { table } from './kit/term.js'

const named = (name: string | undefined) => operations.find((one) => one.name === name)

/** The summary, as it goes on after a colon. */
export function saidOf(name: string): string {
  const { summary } = named(name) ?? { summary: name }
  return `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`
}

/** Help on one operation; null where the words name none. */
export async function helpOn([name]: readonly string[]): Promise<string | null> {
  const operation = named(name)
  if (!operation) return null
  const { detail, scope, refusals, input } = operation
  const fields = fieldWords(input).map((field) => [
    `  ${field.name}${field.needed ? ' *' : ''}`,
    field.type,
    [field.usual === null ? '' : `(${field.usual})`, field.says].filter(Boolean).join(' '),
  ])
  const notes = [
    notCalled[operation.name],
    `Scope: ${scope}.${refusals.length > 0 ? ` Can refuse with ${refusals.join(', ')}.` : ''}`,
  ]
  return [
    `throughline call ${operation.name}: ${saidOf(operation.name)}`,
    ...(detail ? ['', detail] : []),
    ...(fields.length > 0
      ? ['', ...table(fields), '', 'Fields with a star are needed: NAME=VALUE, or one JSON object.']
      : []),
    '',
    ...notes.filter((note) => note !== undefined),
  ].join('\n')
}
