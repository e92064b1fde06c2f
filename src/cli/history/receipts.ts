/** `throughline receipts`: what was sent for each answer of a conversation, and what it cost. */
import { explain } from '../../core/receipt/explain.js'
import { type ForwardedFacts, forwardedIn } from '../../http/forward/receipt.js'
import { getReceipt, listReceipts, receiptIn } from '../../operations/receipts.js'
import type { StoredReceipt } from '../../store/contract/keeping.js'
import { countFlag } from '../kit/counts.js'
import { type Cli, type DeskOptions, reading } from '../kit/desk.js'
import { exits, notFound } from '../kit/failure.js'
import { operate } from '../kit/operate.js'
import { put, say } from '../kit/sink.js'
import { number, paintFor, table } from '../kit/term.js'
import { when } from '../kit/when.js'
import { conversationNamed } from './find.js'

type Flags = DeskOptions<'id' | 'limit'>

export async function showReceipts(flags: Flags): Promise<number> {
  const { id = '@last' } = flags
  const limit = countFlag(flags.limit, '--limit', 20)
  if (flags.json) return asJson(flags, id, limit)
  const found = await reading(flags, (desk) => (id.startsWith('ctx_') ? one(desk, id) : some(desk, id, limit)))
  if (found.length === 0) say('This conversation has no receipts.')
  else await put(id.startsWith('ctx_') ? inFull(found[0] as StoredReceipt) : `${rows(found).join('\n')}\n`)
  return exits.ok
}

const asJson = (flags: Flags, id: string, items: number): Promise<number> =>
  id.startsWith('ctx_')
    ? operate(flags, getReceipt, { input: () => ({ receipt_id: id }) })
    : operate(flags, listReceipts, {
        items,
        input: async (desk) => ({ conversation_id: (await conversationNamed(desk, id)).id }),
      })

async function one({ store, workspace }: Cli, id: string): Promise<StoredReceipt[]> {
  const found = await store.getReceipt(workspace, id)
  if (!found) throw notFound(`there is no receipt ${id}`)
  return [found]
}

async function some(desk: Cli, name: string, limit: number): Promise<readonly StoredReceipt[]> {
  const { id } = await conversationNamed(desk, name)
  return (await desk.store.receipts(desk.workspace, id, { limit })).items
}

function inFull(stored: StoredReceipt): string {
  const facts = forwardedIn(stored)
  return `${stored.id}  ${when(stored.at)}\n${explain(receiptIn(stored))}\n${facts ? `${passed(facts).join('\n')}\n` : ''}`
}

const passed = ({ model, agent, system, tools, usage, milliseconds }: ForwardedFacts): string[] => [
  `passed on to ${model}${agent ? ` for ${agent}` : ''} in ${number(milliseconds)} ms`,
  ...(usage
    ? [
        `tokens: ${number(usage.input)} in, ${number(usage.cached)} from the cache, ${number(usage.written)} put there, ${number(usage.output)} out`,
      ]
    : []),
  ...(system ? [`system: blob ${system}`] : []),
  ...(tools ? [`tools:  blob ${tools}`] : []),
]

function rows(found: readonly StoredReceipt[]): string[] {
  const cells = found.map((stored) => {
    const { totals, request, model } = receiptIn(stored)
    const usage = forwardedIn(stored)?.usage
    const kept = `${request.messages.sent}/${request.messages.of}`
    const cached = usage ? number(usage.cached) : ''
    return [
      stored.id,
      when(stored.at),
      kept,
      number(usage?.input ?? request.used),
      cached,
      number(totals.folded),
      model?.id ?? '',
    ]
  })
  const [head = '', ...rest] = table(
    [['receipt', 'when', 'messages', 'tokens', 'cached', 'shortened', 'model'], ...cells],
    [2, 3, 4, 5],
  )
  return [paintFor(process.stdout).bold(head), ...rest]
}
