/** `receipt_explain`: what became of every message, and why. */
import { explainReceipt } from '../../operations/receipts.js'
import { exposeTool } from '../kit/expose.js'
import { clipText, room } from '../kit/room.js'
import { uris } from '../kit/uris.js'

export const receiptExplain = exposeTool('receipt_explain', explainReceipt, {
  title: 'Explain a window',
  description:
    'Tells what was sent and what was not, and why, from a kept receipt: of a run, of a conversation, or of a task.',
  show: {
    output: explainReceipt.output,
    from: ({ explanation, ...rest }) => ({ ...rest, explanation: clipText(explanation, room - 2_000).text }),
  },
  text: ({ explanation }) => explanation,
  links: ({ receipt_id }) => (receipt_id === null ? [] : [{ uri: uris.receipt(receipt_id), name: 'receipt' }]),
})
