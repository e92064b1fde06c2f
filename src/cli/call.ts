/** `throughline call`: any operation by its name, with the answer as every other door gives it. */
import { nearest } from '../core/message/nearest.js'
import { operations } from '../operations/list.js'
import type { Operation } from '../operations/operation.js'
import type { DeskFlags } from './kit/desk.js'
import { exits, misused } from './kit/failure.js'
import { operate } from './kit/operate.js'
import { put } from './kit/sink.js'
import { table } from './kit/term.js'
import { openTasksAt } from './task/desk.js'

interface CallFlags extends DeskFlags {
  readonly _?: readonly string[]
  readonly key?: string | undefined
}

const answers = 'an answer is made by a process that stays: throughline chat'
const stays = 'an agent needs a process that stays: throughline task deploy'

/** Operations that a command which ends at once cannot do, and what does. */
export const notCalled: Readonly<Record<string, string>> = {
  'runs.start': answers,
  'runs.decide': answers,
  'runs.resume': answers,
  'agents.deploy': stays,
  'agents.spawn': stays,
}

export async function callOperation(flags: CallFlags): Promise<number> {
  const [name, ...fields] = flags._ ?? []
  if (name === undefined) return listOperations()
  const operation = operations.find((one) => one.name === name)
  if (!operation) {
    const near = nearest(
      name,
      operations.map((one) => one.name),
    )
    throw misused(`there is no operation ${name}`, near ? `did you mean ${near}?` : 'throughline call lists them')
  }
  if (notCalled[name] !== undefined) throw misused(`${name} cannot be called here`, notCalled[name])
  const input = inputIn(operation, fields)
  const opens = async (desk: Parameters<ReturnType<typeof openTasksAt>>[0]) => ({
    ...(await openTasksAt()(desk)),
    key: flags.key,
  })
  return operate({ ...flags, json: true }, operation, { opens, input: () => input })
}

async function listOperations(): Promise<number> {
  await put(`${table(operations.map(({ name, summary }) => [name, summary])).join('\n')}\n`)
  return exits.ok
}

/** One JSON object, or fields as `name=value`, where a value that is JSON is that, and any other text itself. */
function inputIn({ name, input }: Operation, fields: readonly string[]): Readonly<Record<string, unknown>> {
  const [first] = fields
  if (first?.trimStart().startsWith('{')) {
    const value = parsed(first)
    if (fields.length > 1 || typeof value !== 'object') throw misused('give one JSON object, or fields as NAME=VALUE')
    return value as Readonly<Record<string, unknown>>
  }
  return Object.fromEntries(
    fields.map((field) => {
      const at = field.indexOf('=')
      if (at < 1) throw misused(`${field} is not NAME=VALUE`, `${name} takes ${Object.keys(input.shape).join(', ')}`)
      const [key, text] = [field.slice(0, at), field.slice(at + 1)]
      return [key, parsed(text)]
    }),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
