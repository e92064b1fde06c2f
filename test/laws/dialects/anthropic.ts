/** As Anthropic writes messages. */
import { meta, pixel, type Writer } from './writer.js'

export const anthropic: Writer = (said) => {
  switch (said.kind) {
    case 'system':
      return [{ role: 'system', content: said.text }]
    case 'user':
      return [
        {
          role: 'user',
          content: [
            { type: 'text', text: said.text },
            ...said.files.map((file) =>
              file.kind === 'image'
                ? { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }
                : { type: 'document', source: { type: 'text', media_type: 'text/plain', data: file.text } },
            ),
          ],
          ...meta(said),
        },
      ]
    case 'assistant':
      return [
        {
          role: 'assistant',
          content: [
            ...(said.thought
              ? said.thought.signature === null
                ? [{ type: 'redacted_thinking', data: 'c2VhbGVk' }]
                : [{ type: 'thinking', thinking: said.thought.text, signature: said.thought.signature }]
              : []),
            ...(said.text === null ? [] : [{ type: 'text', text: said.text }]),
            ...said.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
          ],
          ...meta(said),
        },
      ]
    case 'results':
      return [
        {
          role: 'user',
          content: said.results.map(({ id, output, failed }) => ({
            type: 'tool_result',
            tool_use_id: id,
            content: output,
            ...(failed && { is_error: true }),
          })),
        },
      ]
  }
}
