// Talks to one of these programs: a question with a tool, small talk of 8,000 tokens, then a question about the tool again.
// The provider is a script that speaks Chat Completions and refuses a request of more than 4,000 tokens, counted by the tokenizer at argv[3].
import { strict as assert } from 'node:assert'
import { createServer } from 'node:http'

const { countTokens: count } = await import(process.argv[3])
const budget = 4_000
let most = 0
let answers = 0
const textOf = (content) => (typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join(''))

/** What a provider counts of a message or a tool. */
const wordsOf = ({ content, tool_calls, function: tool }) =>
  textOf(content) + (tool_calls ? JSON.stringify(tool_calls) : '') + (tool ? JSON.stringify(tool) : '')

function answerTo({ messages }) {
  const last = messages.at(-1)
  const text = textOf(last.content)
  if (last.role === 'tool') return { content: `It is ${text.replaceAll(/^"|"$/g, '')}.` }
  const call = {
    id: `call_${messages.length}`,
    type: 'function',
    function: { name: 'weather', arguments: '{"city":"Rome"}' },
  }
  if (/weather/.test(text)) return { content: null, tool_calls: [call] }
  return { content: `I have read ${messages.filter(({ role }) => role === 'user').length}.` }
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  const asked = JSON.parse(body)
  const tokens = [...asked.messages, ...(asked.tools ?? [])].reduce((sum, one) => sum + count(wordsOf(one)) + 3, 0)
  most = Math.max(most, tokens)
  const send = (status, type, text) => response.writeHead(status, { 'content-type': type }).end(text)
  if (tokens > budget) {
    const message = `This model's maximum context length is ${budget} tokens, and your messages have ${tokens}.`
    return send(
      400,
      'application/json',
      JSON.stringify({ error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' } }),
    )
  }
  const message = { role: 'assistant', ...answerTo(asked) }
  const finish_reason = message.tool_calls ? 'tool_calls' : 'stop'
  const usage = { prompt_tokens: tokens, completion_tokens: 5, total_tokens: tokens + 5 }
  const facts = { id: `chat_${++answers}`, created: 1, model: asked.model }
  if (!asked.stream)
    return send(
      200,
      'application/json',
      JSON.stringify({ ...facts, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage }),
    )
  const delta = {
    ...message,
    ...(message.tool_calls && { tool_calls: message.tool_calls.map((one, index) => ({ index, ...one })) }),
  }
  const chunks = [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason }] },
    { choices: [], usage },
  ]
  const lines = chunks.map(
    (one) => `data: ${JSON.stringify({ ...facts, object: 'chat.completion.chunk', ...one })}\n\n`,
  )
  send(200, 'text/event-stream', `${lines.join('')}data: [DONE]\n\n`)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
process.env.OPENAI_BASE_URL = `http://127.0.0.1:${server.address().port}/v1`
process.env.OPENAI_API_KEY = 'none'

const { send } = await import(process.argv[2])
assert.match(await send('What is the weather in Rome?'), /^It is sunny in Rome/)
for (let i = 0; i < 32; i++)
  assert.match(await send(`Remark ${i}: ${'a word and another '.repeat(60)}`), /^I have read/)
assert.match(await send('And the weather now?'), /^It is sunny in Rome/)
const [, remembered] = /(\d+)/.exec(await send('How much have you read?')) ?? []
assert.ok(Number(remembered) > 1, 'it remembers nothing')
console.log(JSON.stringify({ most, remembered: Number(remembered) }))
process.exit(0)
