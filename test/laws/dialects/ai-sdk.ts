/** As the AI SDK writes a page's messages, and a model's. */
import { chat } from './chat.js'
import { meta, pixel, resultOf, type Writer } from './writer.js'

export const ui: Writer = (said, turn) => {
  switch (said.kind) {
    case 'system':
      return [{ role: 'system', parts: [{ type: 'text', text: said.text }] }]
    case 'user':
      return [
        {
          role: 'user',
          parts: [
            { type: 'text', text: said.text },
            ...said.files.map((file) =>
              file.kind === 'image'
                ? { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${pixel}` }
                : { type: 'text', text: file.text },
            ),
          ],
          ...meta(said),
        },
      ]
    case 'assistant':
      return [
        {
          role: 'assistant',
          parts: [
            { type: 'step-start' },
            ...(said.thought ? [{ type: 'reasoning', text: said.thought.text, state: 'done' }] : []),
            ...(said.text === null ? [] : [{ type: 'text', text: said.text, state: 'streaming' }]),
            ...said.calls.map(({ id, name, input }) => {
              const result = resultOf(id, turn)
              return {
                type: `tool-${name}`,
                toolCallId: id,
                input,
                ...(result
                  ? result.failed
                    ? { state: 'output-error', errorText: result.output }
                    : { state: 'output-available', output: result.output }
                  : { state: 'input-streaming' }),
              }
            }),
          ],
          ...meta(said),
        },
      ]
    case 'results':
      return []
  }
}

export const model: Writer = (said) => {
  switch (said.kind) {
    case 'assistant':
      return [
        {
          role: 'assistant',
          content: [
            ...(said.thought ? [{ type: 'reasoning', text: said.thought.text }] : []),
            ...(said.text === null ? [] : [{ type: 'text', text: said.text }]),
            ...said.calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input })),
          ],
          ...meta(said),
        },
      ]
    case 'results':
      return [
        {
          role: 'tool',
          content: said.results.map(({ id, name, output, failed }) => ({
            type: 'tool-result',
            toolCallId: id,
            toolName: name,
            output: { type: failed ? 'error-text' : 'text', value: output },
          })),
        },
      ]
    default:
      return chat(said, [])
  }
}
