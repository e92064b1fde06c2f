/** An operation at the terminal: opens what it needs, does it, and prints the answer, for people or with --json as it is. */
import { policiesOf } from '../../config/geometry.js'
import { HistoryError } from '../../core/message/issue.js'
import { lazyModels } from '../../models/lazy.js'
import type { OperationContext } from '../../operations/context.js'
import type { Operation } from '../../operations/operation.js'
import { perform } from '../../operations/perform.js'
import { openServices } from '../../operations/services.js'
import { type Cli, type DeskFlags, reading, writing } from './desk.js'
import { exits, misused } from './failure.js'
import { finderOf } from './finder.js'
import { modelsOf } from './models.js'
import { put, putJson } from './sink.js'

export type CliContext = OperationContext & Cli

interface AtTerminal<O extends Operation> {
  /** The operation's input from what was typed; ids may be shortened here, nothing else is decided. */
  readonly input: (context: CliContext) => object | Promise<object>
  /** For people; a stream without it is printed as it comes. */
  readonly print?: (output: Awaited<ReturnType<O['run']>>, context: CliContext) => Promise<void> | void
  /** So many items, from as many pages as that takes. */
  readonly items?: number
  /** What the operation needs beyond the store. */
  readonly opens?: (desk: Cli) => Promise<Partial<OperationContext>>
  /** The exit code of an answer that is bad news. */
  readonly exit?: (output: Awaited<ReturnType<O['run']>>) => number
}

export async function operate<O extends Operation>(
  flags: DeskFlags,
  operation: O,
  how: AtTerminal<O>,
): Promise<number> {
  const open = operation.scope === 'read' ? reading : writing
  return open(flags, async (desk) => {
    const context = { ...contextAt(desk), ...(await how.opens?.(desk)) }
    const given = await how.input(context)
    const ask = (more: object) => asTyped(async () => perform(operation, context, { ...given, ...more }))
    const output = (await (how.items === undefined ? ask({}) : pages(ask, how.items))) as Awaited<ReturnType<O['run']>>
    if (operation.kind === 'value' && (flags.json || !how.print)) await putJson(output)
    else if (how.print) await how.print(output, context)
    else
      for await (const part of output as AsyncIterable<unknown>)
        await put(typeof part === 'string' ? part : `${JSON.stringify(part)}\n`)
    return how.exit?.(output) ?? exits.ok
  })
}

interface ItemPage {
  readonly items: readonly unknown[]
  readonly next_cursor: string | null
}

/** The largest page that every list gives. */
const most = 100

/** Pages put together: what one page of that size would be. Messages go back from the newest, everything else goes on. */
async function pages(ask: (more: object) => Promise<unknown>, items: number): Promise<ItemPage> {
  let all = (await ask({ limit: Math.min(items, most) })) as ItemPage
  while (all.next_cursor !== null && all.items.length < items) {
    const limit = Math.min(items - all.items.length, most)
    const isPath = 'head_id' in all
    const page = (await ask({ limit, [isPath ? 'before' : 'cursor']: all.next_cursor })) as ItemPage
    all = { ...page, items: isPath ? [...page.items, ...all.items] : [...all.items, ...page.items] }
  }
  return all
}

export function contextAt(desk: Cli): CliContext {
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

export const moreWith = (limit: number): string => `More results: use -n ${limit * 5}`

/** Without what was not typed. */
export const present = (given: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
