// A tool server as small as one can be: JSON-RPC by lines. `note` keeps what it is given, `look` reads it back.
import { createInterface } from 'node:readline'

const notes = []
const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const tools = [
  { name: 'note', description: 'Writes something down', inputSchema: text },
  { name: 'look', description: 'Reads what was written down', inputSchema: { type: 'object', properties: {} } },
]
const said = (value) => ({ content: [{ type: 'text', text: value }] })
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'desk', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: given }) => {
    if (name === 'look') return said(notes.join('\n') || 'nothing yet')
    notes.push(given.text)
    return said(`Noted: ${given.text}`)
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = methods[method]
    ? { result: methods[method](params ?? {}) }
    : { error: { code: -32601, message: `no method ${method}` } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
})
