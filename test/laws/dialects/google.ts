/** As Google writes contents. */
import { meta, pixel, type Writer } from './writer.js'

export const google: Writer = (said) => {
  switch (said.kind) {
    case 'system':
      return [{ role: 'system', parts: [{ text: said.text }] }]
    case 'user':
      return [
        {
          role: 'user',
          parts: [
            { text: said.text },
            ...said.files.map(() => ({ inlineData: { mimeType: 'image/png', data: pixel } })),
          ],
        },
      ]
    case 'assistant':
      return [
        {
          role: 'model',
          parts: [
            ...(said.thought ? [{ text: said.thought.text, thought: true }] : []),
            ...(said.text === null ? [] : [{ text: said.text }]),
            ...said.calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
          ],
          ...meta(said),
        },
      ]
    case 'results':
      return [
        {
          role: 'user',
          parts: said.results.map(({ id, name, output }) => ({
            functionResponse: { id, name, response: { output } },
          })),
        },
      ]
  }
}
