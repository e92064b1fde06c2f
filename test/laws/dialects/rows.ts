/** As hand-offs write rows, with tools and without. */
import { chat } from './chat.js'
import { meta, type Writer } from './writer.js'

export const rows: Writer = (said) => {
  switch (said.kind) {
    case 'assistant':
      return [
        ...(said.text === null ? [] : [{ role: 'assistant', content: said.text, ...meta(said) }]),
        ...said.calls.map(({ id, name, input }) => ({
          role: 'tool_use',
          tool_name: name,
          tool_use_id: id,
          tool_input: input,
        })),
      ]
    case 'results':
      return said.results.map(({ id, output }) => ({ role: 'tool_result', tool_use_id: id, content: output }))
    case 'user':
      return [{ role: 'user', content: said.text, ...meta(said) }]
    default:
      return chat(said, [])
  }
}

/** Strings only, as the specifications' hand-offs take them. */
export const plain: Writer = (said) => {
  switch (said.kind) {
    case 'assistant':
      return said.text === null
        ? []
        : [{ role: said.calls.length > 0 ? 'orchestrator' : 'assistant', content: said.text, ...meta(said) }]
    case 'user':
      return [{ role: 'user', content: said.text, timestamp: '2026-01-02T03:04:05Z', ...meta(said) }]
    default:
      return []
  }
}
