/** An operation at the terminal: opens what it needs, does it, and prints the answer, for people or with --json as it is. */
import { policiesOf } from '../../config/geometry.js'
import { HistoryError } from '../../core/message/issue.js'
import { lazyModels } from '../../models/lazy.js'
import type { OperationContext } from '../../operations/context.js'
import type { Operation } from '../../operations/operation.js'
import { perform } from '../../operations/perform.js'
import { openServices } from '../../operations/services.js'
import { type Desk, type DeskFlags, reading, writing } from './desk.js'
import { exits, misused } from './failure.js'
import { finderOf } from './finder.js'
import { modelsOf } from './models.js'
import { put, putJson } from './sink.js'

export type CliContext = OperationContext & Desk

interface AtTerminal<O extends Operation> {
  /** The operation's input from what was typed; ids may be shortened here, nothing else is decided. */
  readonly input: (context: CliContext) => object | Promise<object>
  /** For people; a stream without it is printed as it comes. */
  readonly print?: (output: Awaited<ReturnType<O['run']>>, context: CliContext) => Promise<void> | void
}

export async function operate<O extends Operation>(
  flags: DeskFlags,
  operation: O,
  how: AtTerminal<O>,
): Promise<number> {
  const open = operation.scope === 'read' ? reading : writing
  await open(flags, async (desk) => {
    const context = contextAt(desk)
    const output = await asTyped(async () => perform(operation, context, await how.input(context)))
    if (operation.kind === 'value' && flags.json) await putJson(output)
    else if (how.print) await how.print(output as Awaited<ReturnType<O['run']>>, context)
    else for await (const part of output as AsyncIterable<unknown>) await put(`${JSON.stringify(part)}\n`)
  })
  return exits.ok
}

export function contextAt(desk: Desk): CliContext {
  const { store, settled } = desk
  const { usual: policy, presets } = policiesOf(settled.config)
  const models = lazyModels(() => modelsOf(desk), settled.config.model ?? '')
  return {
    ...openServices({ store, models, policy, presets, finder: finderOf(settled.config) }),
    ...desk,
    scope: 'operator',
    author: 'person',
    key: undefined,
    trace: undefined,
    signal: new AbortController().signal,
  }
}

/** What the schema refuses was typed wrong. */
async function asTyped<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!HistoryError.is(error) || error.code !== 'invalid_request') throw error
    throw misused(error.issues.map(({ message }) => message).join('; '))
  }
}
