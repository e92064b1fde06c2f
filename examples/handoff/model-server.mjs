// A model on this machine that speaks the OpenAI chat wire. It reads one file, reports what it found there, and answers.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

export const name = 'loopback'

/** Keeps every request, so that its caller can look at what a model would have seen. */
export async function startModel(path) {
  const requests = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(404).end()
    const asked = await json(request)
    requests.push(asked)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(streamed(nextOf(asked, path)))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/v1`, requests, close }
}

/** One step for each result it has; what it says of the file is in the file. */
function nextOf({ messages }, path) {
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content))
  if (results.length === 0) return called('read_file', { path })
  const [todo = 'nothing is left to do'] = /TODO: .*/.exec(results[0]) ?? []
  if (results.length > 1) return said(`${path} is reviewed. ${todo}`)
  return called('report_finding', { kind: 'issue', severity: 'medium', message: `${path} says ${todo}` })
}

export const textOf = (content) =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n')

const said = (content) => [{ content }, 'stop']
const called = (tool, input) => [
  {
    tool_calls: [
      { index: 0, id: `call_${tool}`, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } },
    ],
  },
  'tool_calls',
]

function streamed([delta, finish_reason]) {
  const chunk = (choices, more) => ({ id: 'chat-1', object: 'chat.completion.chunk', model: name, choices, ...more })
  const lines = [
    chunk([{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason }]),
    chunk([], { usage: { prompt_tokens: 900, completion_tokens: 20, total_tokens: 920 } }),
  ].map((value) => JSON.stringify(value))
  return [...lines, '[DONE]'].map((line) => `data: ${line}\n\n`).join('')
}
