/** `throughline explain`: a receipt in words and in a picture. */
import { explain } from '../core/receipt/explain.js'
import type { Receipt } from '../core/receipt/receipt.js'
import { answerLine } from './answer.js'
import { askedBy, baseOf, type Flags, requestIn } from './asked.js'
import { refuseWindow } from './assemble.js'
import { exits, failed } from './kit/failure.js'
import { segmentsOf } from './kit/picture.js'
import { isObject } from './kit/request.js'
import { put, putJson } from './kit/sink.js'
import { type InputSource, readSource } from './kit/source.js'
import { story } from './kit/story.js'
import { paintFor, widthOf } from './kit/term.js'

export async function explainFile(args: Flags & { readonly json?: unknown }): Promise<number> {
  const asked = await askedBy(args)
  const source = args.sample ? null : await readSource(args.file)
  const receipts = source && receiptsIn(source)
  if (receipts) return tell(receipts, Boolean(args.json))
  const said = await answerLine({ risks: true, ...(source ? requestIn(source) : await baseOf(args, asked)), ...asked })
  return said.ok ? tell([said.receipt], Boolean(args.json)) : refuseWindow(said)
}

async function tell(receipts: readonly Receipt[], json: boolean): Promise<number> {
  const told = receipts.map((receipt) => ({
    schema: 'throughline.explain/1',
    receipt,
    ...segmentsOf(receipt),
    text: explain(receipt),
  }))
  if (json) await putJson(told.length === 1 ? told[0] : told)
  else {
    const [width, paint] = [widthOf(process.stdout), paintFor(process.stdout)]
    await put(`${receipts.map((receipt) => story(receipt, width, paint)).join('\n\n')}\n`)
  }
  return exits.ok
}

/** The receipts, if that is what the file holds: bare, or in results, one or one per line. */
function receiptsIn(source: InputSource): Receipt[] | null {
  const values = source.kind === 'lines' ? source.lines : [source.value]
  if (!values.some((value) => receiptIn(value) !== null || isResult(value))) return null
  return values.flatMap((value, i) => {
    const receipt = receiptIn(value)
    if (receipt) return [receipt]
    if (isObject(value) && isObject(value.error))
      throw failed(`result ${i + 1} is a refusal and has no receipt: ${String(value.error.message)}`)
    throw failed(`value ${i + 1} holds no receipt`)
  })
}

const isResult = (value: unknown): boolean => isObject(value) && typeof value.ok === 'boolean'

function receiptIn(value: unknown): Receipt | null {
  if (!isObject(value)) return null
  const inner = Object.hasOwn(value, 'receipt') ? value.receipt : value
  return isReceipt(inner) ? inner : null
}

/** A receipt is ours when its schema is; only what is read here is looked at. */
const isReceipt = (value: unknown): value is Receipt =>
  isObject(value) &&
  value.schema === 'throughline.receipt/1' &&
  Array.isArray(value.lines) &&
  Array.isArray(value.mended) &&
  Array.isArray(value.warnings) &&
  [value.request, value.budget, value.totals, value.counter, value.policy].every(isObject)
