/** As we write parts. */
import { meta, resultOf, type Writer } from './writer.js'

export const own: Writer = (said, turn) => {
  switch (said.kind) {
    case 'system':
      return [{ role: 'system', parts: [{ type: 'text', text: said.text }] }]
    case 'user':
      return [
        {
          role: 'user',
          parts: [
            { type: 'text', text: said.text },
            ...said.files.map((file) => ({
              type: 'file',
              mediaType: 'text/x-python',
              language: 'python',
              source: { kind: 'text', text: file.text },
            })),
          ],
          ...meta(said),
        },
      ]
    case 'assistant':
      return [
        {
          role: 'assistant',
          parts: [
            ...(said.thought
              ? [
                  {
                    type: 'think',
                    text: said.thought.text,
                    ...(said.thought.signature === null ? {} : { signature: said.thought.signature }),
                  },
                ]
              : []),
            ...(said.text === null ? [] : [{ type: 'text', text: said.text }]),
            ...said.calls.map(({ id, name, input }) => {
              const result = resultOf(id, turn)
              return {
                type: 'call',
                id,
                name,
                input,
                outcome: result
                  ? { state: result.failed ? 'error' : 'ok', output: [{ type: 'text', text: result.output }] }
                  : { state: 'pending' },
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
