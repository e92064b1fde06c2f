/** As OpenAI writes a chat. */
import { meta, pixel, type Writer } from './writer.js'

export const chat: Writer = (said) => {
  switch (said.kind) {
    case 'system':
      return [{ role: 'system', content: said.text }]
    case 'user':
      return [
        {
          role: 'user',
          content:
            said.files.length === 0
              ? said.text
              : [
                  { type: 'text', text: said.text },
                  ...said.files.map((file) =>
                    file.kind === 'image'
                      ? { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } }
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
          content: said.text,
          ...(said.thought && { reasoning_content: said.thought.text }),
          ...(said.calls.length > 0 && {
            tool_calls: said.calls.map(({ id, name, input }) => ({
              id,
              type: 'function',
              function: { name, arguments: JSON.stringify(input) },
            })),
          }),
          ...meta(said),
        },
      ]
    case 'results':
      return said.results.map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output }))
  }
}
