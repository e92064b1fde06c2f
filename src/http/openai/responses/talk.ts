/** Responses on one connection: each message asks for one and its events are messages, as Open Responses has it. */
import { fieldsOf, isRecord, listOf, recordIn } from '../../../core/message/fields.js'
import { framer } from '../../../models/wire/frames.js'
import { itemsIn } from '../../forward/door.js'

type Fields = Readonly<Record<string, unknown>>

/** The newest answer that is kept nowhere: only this connection can go on from it. */
interface Known {
  readonly id: unknown
  readonly items: readonly unknown[]
}

/** `ask` is told the body of a request; whatever becomes of it is told to the client. */
export function openSocketTalk(
  ask: (body: Fields) => Promise<Response>,
  tell: (event: Fields) => Promise<void>,
): (message: string) => Promise<void> {
  let known: Known | null = null
  const answer = async (message: string): Promise<void> => {
    const asked = recordIn(message)
    if (asked?.type !== 'response.create') return tell(refusal(400, { message: 'a message must be a response.create' }))
    const { type: _, stream: __, stream_options: ___, background: ____, ...body } = asked
    const { previous_response_id: previous = null, store } = body
    const before = known?.id === previous ? known : null
    // what a continuation failed behind is not gone on from again
    if (before) known = null
    const items = [...(before?.items ?? []), ...itemsIn(body)]
    const stray = before && strayIn(items)
    if (stray) return tell(refusal(400, { message: `No tool call found for the output of ${stray}.`, param: 'input' }))
    const whole = before && { input: items, previous_response_id: null }
    const response = await ask({ ...body, ...whole, stream: true })
    if (!response.ok || !response.body) return tell(refusal(response.status, recordIn(await response.text())))
    const frames = framer('events')
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>)
      for (const data of frames.push(bytes)) {
        const event = recordIn(data)
        if (!event) continue
        const own = before && { previous_response_id: previous }
        const made: Fields | null = isRecord(event.response) ? { ...event.response, ...own } : null
        if (event.type === 'response.completed' && store === false)
          known = { id: made?.id, items: [...items, ...listOf(made?.output).filter(isTold)] }
        await tell(event.type === 'error' ? refusal(500, event) : { ...event, ...(made && { response: made }) })
      }
  }
  return (message) => answer(message).catch(() => tell(refusal(500, { message: 'the answer broke off' })))
}

function refusal(status: number, told: Fields | null): Fields {
  const { message = 'refused', code, param = null } = { ...told, ...fieldsOf(told?.error) }
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  return { type: 'error', status, error: { type, code: code ?? type, message, param } }
}

/** Thoughts that only their provider could look up are not to be had again. */
const isTold = (item: unknown): boolean =>
  !isRecord(item) || item.type !== 'reasoning' || typeof item.encrypted_content === 'string'

/** The call that an output names and nobody made. */
function strayIn(items: readonly unknown[]): string | undefined {
  const calls = new Set<unknown>()
  for (const item of items) {
    if (!isRecord(item) || typeof item.call_id !== 'string') continue
    if (!String(item.type).endsWith('_output')) calls.add(item.call_id)
    else if (!calls.has(item.call_id)) return item.call_id
  }
  return undefined
}
