/** An answer in the frames of a wire: each a whole event, the last one ends the stream. */
import { type Answer, pieces, proof, type Wire } from './answer.js'

export interface Frames {
  readonly begin: readonly string[]
  readonly body: readonly string[]
  /** Says why it ends; not yet the end itself where the wire has one. */
  readonly close: readonly string[]
  /** The end of the stream. */
  readonly terminal: readonly string[]
  readonly contentType: string
}

const event = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`
const data = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`
const line = (value: unknown): string => `${JSON.stringify(value)}\n`

export const framesOf = (wire: Wire, answer: Answer, model: string): Frames => writers[wire](answer, model)

/** An error in the middle of a stream, as the wire tells it. */
export const errorFrame: Readonly<Record<Wire, string>> = {
  anthropic: event('error', { error: { type: 'overloaded_error', message: 'Overloaded. secret-words' } }),
  'openai-chat': data({
    error: { message: 'The engine is overloaded: secret-words', type: 'overloaded_error', code: null },
  }),
  'openai-responses': event('error', {
    sequence_number: 3,
    error: { type: 'server_error', code: 'overloaded', message: 'secret-words', param: null },
  }),
  google: data({ error: { code: 503, message: 'The model is overloaded: secret-words', status: 'UNAVAILABLE' } }),
  ollama: line({ error: 'the server is overloaded: secret-words' }),
}

const proofOf = (answer: Answer) => answer.proof ?? proof
const usageOf = (answer: Answer) => answer.usage ?? { input: 11, output: 7 }

const writers: Readonly<Record<Wire, (answer: Answer, model: string) => Frames>> = {
  anthropic(answer, model) {
    const { input, output } = usageOf(answer)
    const body: string[] = []
    let index = 0
    const block = (start: object, deltas: readonly object[]) => {
      body.push(event('content_block_start', { index, content_block: start }))
      for (const delta of deltas) body.push(event('content_block_delta', { index, delta }))
      body.push(event('content_block_stop', { index }))
      index++
    }
    if (answer.think)
      block({ type: 'thinking', thinking: '', signature: '' }, [
        ...pieces(answer.think).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: proofOf(answer).signature },
      ])
    if (answer.text)
      block(
        { type: 'text', text: '' },
        pieces(answer.text).map((text) => ({ type: 'text_delta', text })),
      )
    for (const { id, name, input: args } of answer.calls ?? [])
      block(
        { type: 'tool_use', id, name, input: {} },
        pieces(JSON.stringify(args)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      )
    const stop =
      answer.stop !== undefined
        ? 'stop_sequence'
        : { stop: 'end_turn', length: 'max_tokens', filter: 'refusal' }[answer.finish ?? 'stop']
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
    }
    return {
      contentType: 'text/event-stream; charset=utf-8',
      begin: [
        event('message_start', { message: { ...message, usage: { input_tokens: input, output_tokens: 1 } } }),
        event('ping', {}),
      ],
      body,
      close: [
        event('message_delta', {
          delta: { stop_reason: answer.calls?.length ? 'tool_use' : stop, stop_sequence: answer.stop ?? null },
          usage: { output_tokens: output },
        }),
      ],
      terminal: [event('message_stop', {})],
    }
  },

  'openai-chat'(answer, model) {
    const chunk = (more: object) =>
      data({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model, ...more })
    const delta = (value: object, finish: string | null = null) =>
      chunk({ choices: [{ index: 0, delta: value, finish_reason: finish }] })
    const { input, output } = usageOf(answer)
    const finish = { stop: 'stop', length: 'length', filter: 'content_filter' }[answer.finish ?? 'stop']
    return {
      contentType: 'text/event-stream',
      begin: [delta({ role: 'assistant', content: '' })],
      body: [
        ...pieces(answer.think ?? '').map((reasoning_content) => delta({ reasoning_content })),
        ...pieces(answer.text ?? '').map((content) => delta({ content })),
        ...(answer.calls ?? []).flatMap(({ id, name, input: args }, index) => [
          delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
          ...pieces(JSON.stringify(args)).map((json) =>
            delta({ tool_calls: [{ index, function: { arguments: json } }] }),
          ),
        ]),
      ],
      close: [
        delta({}, answer.calls?.length ? 'tool_calls' : finish),
        chunk({
          choices: [],
          usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
        }),
      ],
      terminal: [data('[DONE]')],
    }
  },

  'openai-responses'(answer, model) {
    const { input, output } = usageOf(answer)
    const body: string[] = []
    let output_index = 0
    if (answer.think) {
      const item_id = proofOf(answer).id
      body.push(
        event('response.output_item.added', { output_index, item: { type: 'reasoning', id: item_id, summary: [] } }),
      )
      body.push(
        event('response.reasoning_summary_part.added', {
          item_id,
          output_index,
          summary_index: 0,
          part: { type: 'summary_text', text: '' },
        }),
      )
      for (const delta of pieces(answer.think))
        body.push(event('response.reasoning_summary_text.delta', { item_id, output_index, summary_index: 0, delta }))
      body.push(
        event('response.reasoning_summary_part.done', {
          item_id,
          output_index,
          summary_index: 0,
          part: { type: 'summary_text', text: answer.think },
        }),
      )
      body.push(
        event('response.output_item.done', {
          output_index,
          item: {
            type: 'reasoning',
            id: item_id,
            summary: [{ type: 'summary_text', text: answer.think }],
            encrypted_content: proofOf(answer).sealed,
          },
        }),
      )
      output_index++
    }
    if (answer.text) {
      const item_id = answer.proof ? `msg_${answer.proof.id}` : 'msg_1'
      const item = { type: 'message', id: item_id, role: 'assistant', status: 'in_progress', content: [] }
      body.push(event('response.output_item.added', { output_index, item }))
      for (const delta of pieces(answer.text))
        body.push(event('response.output_text.delta', { item_id, output_index, content_index: 0, delta }))
      body.push(
        event('response.output_item.done', {
          output_index,
          item: {
            ...item,
            status: 'completed',
            content: [{ type: 'output_text', text: answer.text, annotations: [] }],
          },
        }),
      )
      output_index++
    }
    for (const { id, name, input: args } of answer.calls ?? []) {
      const item = { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: '', status: 'in_progress' }
      body.push(event('response.output_item.added', { output_index, item }))
      for (const delta of pieces(JSON.stringify(args)))
        body.push(event('response.function_call_arguments.delta', { item_id: item.id, output_index, delta }))
      body.push(
        event('response.output_item.done', {
          output_index,
          item: { ...item, arguments: JSON.stringify(args), status: 'completed' },
        }),
      )
      output_index++
    }
    const response = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model, service_tier: null }
    const usage = {
      input_tokens: input,
      output_tokens: output,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    }
    const isWhole = (answer.finish ?? 'stop') === 'stop'
    const reason = answer.finish === 'length' ? 'max_output_tokens' : 'content_filter'
    const end = isWhole
      ? event('response.completed', { response: { ...response, status: 'completed', usage } })
      : event('response.incomplete', {
          response: { ...response, status: 'incomplete', incomplete_details: { reason }, usage },
        })
    return {
      contentType: 'text/event-stream; charset=utf-8',
      begin: [event('response.created', { response: { ...response, status: 'in_progress' } })],
      body,
      close: [],
      terminal: [end],
    }
  },

  google(answer, model) {
    const { input, output } = usageOf(answer)
    const chunk = (parts: readonly object[], more: object = {}) =>
      data({
        candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
        modelVersion: model,
        responseId: 'r1',
      })
    const finish = { stop: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' }[answer.finish ?? 'stop']
    const thoughts = pieces(answer.think ?? '')
    const words = pieces(answer.text ?? '')
    // Gemini 3 signs the first call, or the last words where there is none
    const signed = answer.proof && { thoughtSignature: answer.proof.signature }
    const isQuiet = (answer.calls ?? []).length === 0
    return {
      contentType: 'text/event-stream',
      begin: [],
      body: [
        ...thoughts.map((text, at) =>
          chunk([
            {
              text,
              thought: true,
              ...(!signed && at === thoughts.length - 1 && { thoughtSignature: proof.signature }),
            },
          ]),
        ),
        ...words.map((text, at) => chunk([{ text, ...(isQuiet && at === words.length - 1 && signed) }])),
        ...(answer.calls ?? []).map(({ id, name, input: args }, at) =>
          chunk([{ functionCall: { id, name, args }, ...(at === 0 && signed) }]),
        ),
      ],
      close: [],
      terminal: [
        data({
          candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: finish, index: 0 }],
          usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
          modelVersion: model,
          responseId: 'r1',
        }),
      ],
    }
  },

  ollama(answer, model) {
    const { input, output } = usageOf(answer)
    const message = (value: object) =>
      line({
        model,
        created_at: '2026-01-01T00:00:00Z',
        message: { role: 'assistant', content: '', ...value },
        done: false,
      })
    return {
      contentType: 'application/x-ndjson',
      begin: [],
      body: [
        ...pieces(answer.think ?? '').map((thinking) => message({ thinking })),
        ...pieces(answer.text ?? '').map((content) => message({ content })),
        ...(answer.calls ?? []).map(({ name, input: args }) =>
          message({ tool_calls: [{ function: { name, arguments: args } }] }),
        ),
      ],
      close: [],
      terminal: [
        line({
          model,
          created_at: '2026-01-01T00:00:00Z',
          message: { role: 'assistant', content: '' },
          done: true,
          done_reason: answer.finish === 'length' ? 'length' : 'stop',
          prompt_eval_count: input,
          eval_count: output,
        }),
      ],
    }
  },
}
