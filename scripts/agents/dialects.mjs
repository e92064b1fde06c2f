/** What each provider takes, refuses and says, as far as a scripted one has to know. */
import { createHash } from 'node:crypto'

const shells = ['Bash', 'bash', 'exec_command', 'shell', 'run_shell_command']
const signed = (text) => createHash('sha256').update(`signature of ${text}`).digest('base64')
const sse = (event, data) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
const data = (value) => `data: ${JSON.stringify(value)}\n\n`
let ids = 0
const id = (prefix) => `${prefix}${Date.now().toString(36)}${(++ids).toString(36).padStart(6, '0')}`
const nameOf = (tools) => shells.find((name) => tools.includes(name)) ?? null
export const inputFor = (tool, command) => {
  if (tool === 'exec_command') return { cmd: command }
  if (tool === 'shell') return { command: ['bash', '-lc', command] }
  const rest = tool === 'run_shell_command' ? { is_background: false } : {}
  return { command, description: 'Runs a step of the script', ...rest }
}
const textOf = (content) =>
  typeof content === 'string'
    ? content
    : (content ?? []).map((part) => part.text ?? (part.content === undefined ? '' : textOf(part.content))).join('')

const thinking = 'The script says what comes next.'

const anthropic = {
  path: /^\/v1\/messages(\/count_tokens)?$/,
  counts: /count_tokens$/,
  count: (input_tokens) => ({ input_tokens }),
  counted: ({ system, tools, messages }) => JSON.stringify([system, tools, messages]).length,
  overflow: (tokens, limit) => `prompt is too long: ${tokens} tokens > ${limit} maximum`,
  error: (status, type, message) => ({
    type: 'error',
    error: { type: typeNames[status] ?? type, message },
    request_id: 'req_1',
  }),
  check(body) {
    const { messages, system, thinking: think, max_tokens } = body
    if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required'
    const talk = messages.filter(({ role }) => role !== 'system')
    if (talk[0].role !== 'user') return 'messages: first message must use the "user" role'
    if (think?.type === 'enabled' && max_tokens !== undefined && max_tokens <= think.budget_tokens)
      return '`max_tokens` must be greater than `thinking.budget_tokens`'
    const blocks = [
      ...(Array.isArray(system) ? system : []),
      ...(body.tools ?? []),
      ...messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])),
    ]
    const marks = blocks.filter((block) => block.cache_control).length
    if (marks > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`
    for (const [i, { role, content }] of talk.entries()) {
      const parts = Array.isArray(content) ? content : [{ type: 'text', text: content }]
      if (parts.some(({ type, text }) => type === 'text' && text === ''))
        return `messages.${i}: text content blocks must be non-empty`
      for (const part of parts)
        if (part.type === 'thinking' && part.signature !== signed(part.thinking))
          return `messages.${i}.content: Invalid \`signature\` in \`thinking\` block`
      const results = parts.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id)
      const before = i === 0 ? [] : uses(talk[i - 1])
      const orphan = results.find((one) => !before.includes(one))
      if (role === 'user' && orphan)
        return `messages.${i}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}`
      const open = role === 'assistant' ? uses({ content }) : []
      const next = i + 1 < talk.length ? talk[i + 1].content : []
      const answered = (Array.isArray(next) ? next : []).flatMap((part) => part.tool_use_id ?? [])
      const lost = open.filter((one) => !answered.includes(one))
      if (lost.length > 0)
        return `messages.${i}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${lost.join(', ')}`
    }
    return null
  },
  shell: ({ tools = [] }) => nameOf(tools.map(({ name }) => name)),
  isSide: ({ tool_choice, output_config, messages }) =>
    tool_choice?.type === 'tool' ||
    output_config?.format !== undefined ||
    isCompaction(textOf(messages.at(-1).content)),
  wantsJson: ({ output_config }) => output_config?.format !== undefined,
  newestResult: ({ messages }) =>
    textOf(
      messages
        .flatMap(({ content }) => (Array.isArray(content) ? content : []))
        .findLast(({ type }) => type === 'tool_result')?.content,
    ),
  streams: ({ stream }) => stream === true,
  whole({ text, call }, usage, body) {
    const content = [
      ...(isThinking(body) ? [{ type: 'thinking', thinking, signature: signed(thinking) }] : []),
      { type: 'text', text },
    ]
    if (call) content.push({ type: 'tool_use', id: id('toolu_'), name: call.tool, input: call.input })
    return {
      id: id('msg_'),
      type: 'message',
      role: 'assistant',
      model: body.model,
      content,
      stop_reason: call ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: anthropicUsage(usage),
    }
  },
  *events(said, usage, body) {
    const message = anthropic.whole(said, usage, body)
    yield sse('message_start', {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } },
    })
    yield sse('ping', { type: 'ping' })
    for (const [index, block] of message.content.entries()) {
      const delta = (one) => sse('content_block_delta', { type: 'content_block_delta', index, delta: one })
      const start = {
        thinking: { type: 'thinking', thinking: '', signature: '' },
        text: { type: 'text', text: '' },
        tool_use: { ...block, input: {} },
      }[block.type]
      yield sse('content_block_start', { type: 'content_block_start', index, content_block: start })
      if (block.type === 'thinking') {
        yield delta({ type: 'thinking_delta', thinking: block.thinking })
        yield delta({ type: 'signature_delta', signature: block.signature })
      } else if (block.type === 'text') for (const text of halves(block.text)) yield delta({ type: 'text_delta', text })
      else
        for (const partial_json of ['', ...halves(JSON.stringify(block.input))])
          yield delta({ type: 'input_json_delta', partial_json })
      yield sse('content_block_stop', { type: 'content_block_stop', index })
    }
    yield sse('message_delta', {
      type: 'message_delta',
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: message.usage,
    })
    yield sse('message_stop', { type: 'message_stop' })
  },
}

const uses = ({ content }) =>
  (Array.isArray(content) ? content : []).flatMap((part) => (part.type === 'tool_use' ? part.id : []))
const isThinking = ({ thinking: asked }) => asked?.type === 'enabled' || asked?.type === 'adaptive'
const anthropicUsage = ({ input, output, cached }) => ({
  input_tokens: input - cached,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cached,
  output_tokens: output,
})
const typeNames = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}
const isCompaction = (text) =>
  /create a detailed summary|summary of (the|our) conversation|CONTEXT CHECKPOINT COMPACTION/i.test(text.slice(-8_000))
const halves = (text) => (text.length < 2 ? [text] : [text.slice(0, text.length >> 1), text.slice(text.length >> 1)])

const openaiError = (status, type, message) => ({
  error: {
    message,
    type: status === 401 ? 'authentication_error' : status === 429 ? 'rate_limit_error' : 'invalid_request_error',
    param: null,
    code: type === 'overflow' ? 'context_length_exceeded' : null,
  },
})
const openaiOverflow = (tokens, limit) =>
  `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`

const responses = {
  path: /^\/v1\/responses$/,
  counted: ({ instructions, tools, input }) => JSON.stringify([instructions, tools, input]).length,
  overflow: () => 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  error: openaiError,
  check({ input }) {
    if (typeof input === 'string') return null
    const calls = new Set()
    const answered = new Set()
    for (const item of input) {
      if (/_call$/.test(item.type ?? '') && item.call_id) calls.add(item.call_id)
      if (/_output$/.test(item.type ?? '')) {
        if (!calls.has(item.call_id)) return `No tool call found for function call output with call_id ${item.call_id}.`
        answered.add(item.call_id)
      }
    }
    const open = [...calls].find((call) => !answered.has(call))
    return open ? `No tool output found for function call ${open}.` : null
  },
  shell: ({ tools }) => nameOf((tools ?? []).map(({ name }) => name)),
  isSide: (_, headers) => /"request_kind":"compaction"/.test(headers['x-codex-turn-metadata'] ?? ''),
  wantsJson: ({ text }) => text?.format?.type === 'json_schema',
  newestResult: ({ input }) =>
    typeof input === 'string' ? '' : textOf(input.findLast(({ type }) => /_output$/.test(type ?? ''))?.output ?? ''),
  streams: ({ stream }) => stream === true,
  whole({ text, call }, { input, output, cached }, body) {
    const items = [
      { type: 'reasoning', id: id('rs_'), summary: [], encrypted_content: signed(text) },
      {
        type: 'message',
        id: id('msg_'),
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ]
    if (call?.tool === 'tool_search')
      items.push({
        type: 'tool_search_call',
        id: id('tsc_'),
        call_id: id('call_'),
        execution: 'client',
        arguments: call.input,
        status: 'completed',
      })
    else if (call)
      items.push({
        type: 'function_call',
        ...(call.namespace && { namespace: call.namespace }),
        id: id('fc_'),
        call_id: id('call_'),
        name: call.tool,
        arguments: JSON.stringify(call.input),
        status: 'completed',
      })
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    }
    return {
      id: id('resp_'),
      object: 'response',
      created_at: 1_700_000_000,
      status: 'completed',
      model: body.model,
      output: items,
      usage,
      error: null,
      incomplete_details: null,
      metadata: {},
    }
  },
  *events(said, usage, body) {
    let sequence_number = 0
    const tell = (type, more) => sse(type, { type, sequence_number: sequence_number++, ...more })
    const response = responses.whole(said, usage, body)
    const shell = { ...response, status: 'in_progress', output: [], usage: null }
    yield tell('response.created', { response: shell })
    yield tell('response.in_progress', { response: shell })
    for (const [output_index, item] of response.output.entries()) {
      const at = { output_index, item_id: item.id }
      const begun = {
        ...item,
        status: 'in_progress',
        ...(item.type === 'message' && { content: [] }),
        ...(item.type === 'function_call' && { arguments: '' }),
      }
      yield tell('response.output_item.added', { output_index, item: begun })
      if (item.type === 'message') {
        const { text } = item.content[0]
        const part = { type: 'output_text', text: '', annotations: [] }
        yield tell('response.content_part.added', { ...at, content_index: 0, part })
        for (const delta of halves(text)) yield tell('response.output_text.delta', { ...at, content_index: 0, delta })
        yield tell('response.output_text.done', { ...at, content_index: 0, text })
        yield tell('response.content_part.done', { ...at, content_index: 0, part: { ...part, text } })
      }
      if (item.type === 'function_call') {
        for (const delta of halves(item.arguments))
          yield tell('response.function_call_arguments.delta', { ...at, delta })
        yield tell('response.function_call_arguments.done', { ...at, arguments: item.arguments })
      }
      yield tell('response.output_item.done', { output_index, item })
    }
    yield tell('response.completed', { response })
  },
}

const chat = {
  path: /^\/v1\/chat\/completions$/,
  counted: ({ tools, messages }) => JSON.stringify([tools, messages]).length,
  overflow: openaiOverflow,
  error: openaiError,
  check({ messages }) {
    let open = []
    for (const [i, { role, tool_calls, tool_call_id }] of messages.entries()) {
      if (role === 'tool') {
        if (!open.includes(tool_call_id))
          return `messages with role 'tool' must be a response to a preceeding message with 'tool_calls' (messages[${i}])`
        open = open.filter((one) => one !== tool_call_id)
        continue
      }
      if (open.length > 0)
        return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${open.join(', ')}`
      open = (tool_calls ?? []).map((call) => call.id)
    }
    return open.length > 0
      ? `An assistant message with 'tool_calls' must be followed by tool messages: ${open.join(', ')}`
      : null
  },
  shell: ({ tools }) => nameOf((tools ?? []).map((tool) => tool.function?.name)),
  isSide: ({ messages, response_format }) =>
    response_format?.type === 'json_schema' || isCompaction(textOf(messages.at(-1).content)),
  wantsJson: ({ response_format }) => response_format?.type === 'json_schema',
  newestResult: ({ messages }) => textOf(messages.findLast(({ role }) => role === 'tool')?.content ?? ''),
  streams: ({ stream }) => stream === true,
  whole({ text, call }, usage, body) {
    const tool_calls = call && [
      {
        id: id('call_'),
        type: 'function',
        function: { name: call.tool, arguments: JSON.stringify(call.input) },
      },
    ]
    const message = { role: 'assistant', content: text, refusal: null, ...(call && { tool_calls }) }
    return {
      id: id('chatcmpl-'),
      object: 'chat.completion',
      created: 1_700_000_000,
      model: body.model,
      choices: [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop', logprobs: null }],
      usage: chatUsage(usage),
    }
  },
  *events(said, usage, body) {
    const { id: name, created, model, choices } = chat.whole(said, usage, body)
    const [{ message, finish_reason }] = choices
    const chunk = (delta, finish = null) =>
      data({
        id: name,
        object: 'chat.completion.chunk',
        created,
        model,
        choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
      })
    yield chunk({ role: 'assistant', content: '' })
    for (const content of halves(message.content)) yield chunk({ content })
    for (const [index, call] of (message.tool_calls ?? []).entries()) {
      yield chunk({ tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] })
      for (const part of halves(call.function.arguments))
        yield chunk({ tool_calls: [{ index, function: { arguments: part } }] })
    }
    yield chunk({}, finish_reason)
    if (body.stream_options?.include_usage)
      yield data({ id: name, object: 'chat.completion.chunk', created, model, choices: [], usage: chatUsage(usage) })
    yield 'data: [DONE]\n\n'
  },
}

const chatUsage = ({ input, output, cached }) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
})

const google = {
  path: /^\/v1beta\/models\/[^/:]+:(generateContent|streamGenerateContent|countTokens)$/,
  counts: /:countTokens$/,
  count: (totalTokens) => ({ totalTokens }),
  counted: ({ systemInstruction, tools, contents }) => JSON.stringify([systemInstruction, tools, contents]).length,
  overflow: (tokens, limit) =>
    `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${limit}).`,
  error: (status, _, message) => ({
    error: { code: status, message, status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'INVALID_ARGUMENT' },
  }),
  check({ contents }) {
    if (!Array.isArray(contents) || contents.length === 0) return 'contents is not specified'
    for (const [i, { parts }] of contents.entries()) {
      const answers = parts.filter((part) => part.functionResponse)
      const calls = contents[i - 1]?.parts.filter((part) => part.functionCall) ?? []
      if (answers.length > 0 && calls.length === 0)
        return 'Please ensure that function response turn comes immediately after a function call turn.'
    }
    return null
  },
  shell: ({ tools }) =>
    nameOf((tools ?? []).flatMap((tool) => (tool.functionDeclarations ?? []).map(({ name }) => name))),
  isSide: ({ generationConfig }) =>
    generationConfig?.responseMimeType === 'application/json' || generationConfig?.responseJsonSchema !== undefined,
  wantsJson: ({ generationConfig }) => generationConfig?.responseMimeType === 'application/json',
  newestResult: ({ contents }) => {
    const found = contents.flatMap(({ parts }) => parts).findLast((part) => part.functionResponse)
    return found
      ? Object.values(found.functionResponse.response ?? {})
          .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
          .join('')
      : ''
  },
  streams: (_, path) => /:streamGenerateContent$/.test(path),
  whole({ text, call }, { input, output, cached }) {
    const parts = [{ text }]
    if (call)
      parts.push({
        functionCall: { name: call.tool, args: call.input },
        thoughtSignature: signed(text),
      })
    const usageMetadata = {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
      cachedContentTokenCount: cached,
    }
    return {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata,
      modelVersion: 'scripted',
      responseId: id('r'),
    }
  },
  *events(said, usage) {
    const whole = google.whole(said, usage)
    const [first, ...rest] = whole.candidates[0].content.parts
    for (const text of halves(first.text))
      yield data({ ...whole, candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }] })
    yield data({
      ...whole,
      candidates: [
        { ...whole.candidates[0], content: { role: 'model', parts: rest.length > 0 ? rest : [{ text: '' }] } },
      ],
    })
  },
}

/** The tool that a step wants, or the search that leads to it; null where neither is on offer. */
export function offeredIn(dialect, body, { tool, input }) {
  const found = [...toolsIn(dialect, body)].find(({ name }) => name?.endsWith(tool))
  if (found) return { tool: found.name, namespace: found.namespace, input }
  const names = [...toolsIn(dialect, body)].map(({ name }) => name)
  if (names.includes('tool_call')) {
    const [named] = new RegExp(`[\\w-]+${tool}`).exec(dialects[dialect].newestResult(body)) ?? []
    return named
      ? { tool: 'tool_call', input: { name: named, arguments: input } }
      : { tool: 'tool_search', input: { query: tool, max_results: 5 }, isSearch: true }
  }
  if (names.includes('ToolSearch'))
    return { tool: 'ToolSearch', input: { query: tool, max_results: 5 }, isSearch: true }
  if ((body.tools ?? []).some(({ type }) => type === 'tool_search'))
    return { tool: 'tool_search', input: { query: tool, limit: 5 }, isSearch: true }
  return null
}

function* toolsIn(dialect, body) {
  const found = (body.input ?? []).flatMap?.((item) => (item.type === 'tool_search_output' ? item.tools : [])) ?? []
  for (const tool of [...(body.tools ?? []), ...found]) {
    if (tool.type === 'namespace') for (const { name } of tool.tools) yield { name, namespace: tool.name }
    else if (dialect === 'google') yield* tool.functionDeclarations ?? []
    else yield { name: tool.function?.name ?? tool.name }
  }
}

export const dialects = { anthropic, responses, chat, google }
