/** As OpenAI writes the items of a response. */
import { meta, pixel, type Writer } from './writer.js'

export const responses: Writer = (said) => {
  switch (said.kind) {
    case 'system':
      return [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: said.text }] }]
    case 'user':
      return [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: said.text },
            ...said.files.map((file) =>
              file.kind === 'pdf'
                ? { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${pixel}` }
                : { type: 'input_image', image_url: `data:image/png;base64,${pixel}` },
            ),
          ],
          ...meta(said),
        },
      ]
    case 'assistant':
      return [
        ...(said.thought
          ? [
              {
                type: 'reasoning',
                id: said.thought.id,
                summary: [{ type: 'summary_text', text: said.thought.text }],
                ...meta({ ...(said.model && { model: said.model }) }),
              },
            ]
          : []),
        ...(said.text === null
          ? []
          : [
              {
                type: 'message',
                role: 'assistant',
                content: [{ type: 'output_text', text: said.text }],
                ...meta(said),
              },
            ]),
        ...said.calls.map(({ id, name, input }) => ({
          type: 'function_call',
          call_id: id,
          name,
          arguments: JSON.stringify(input),
        })),
      ]
    case 'results':
      return said.results.map(({ id, output }) => ({ type: 'function_call_output', call_id: id, output }))
  }
}
