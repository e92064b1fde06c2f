/**
 * `throughline mcp --conformance`: the server that the public conformance suite wants to find, with its tools, resources and
 * prompts, over the same SDK and the same two eras as ours. It keeps nothing and is for tests alone.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  isLegacyRequest,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const silence = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='
const text = (said: string) => ({ type: 'text', text: said }) as const
const image = { type: 'image', data: pixel, mimeType: 'image/png' } as const
const resource = (uri: string, mimeType = 'text/plain') =>
  ({ type: 'resource', resource: { uri, mimeType, text: 'This is an embedded resource content.' } }) as const
const said = (...content: readonly object[]) => ({ content })

type Fields = Readonly<Record<string, unknown>>
type Answer = (given: Fields, context: ServerContext) => unknown
const fields = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
})

const codec = createRequestStateCodec({ key: randomBytes(32) })

/** What the client was asked for and answered; undefined until it has. */
const got = ({ mcpReq }: ServerContext, name: string): Fields | undefined =>
  mcpReq.inputResponses?.[name] as Fields | undefined
const form = (message: string, schema: object = fields('name')) =>
  ({ method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: schema } }) as never
const sampling = (question: string) =>
  ({
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: text(question) }], maxTokens: 100 },
  }) as never
const roots = { method: 'roots/list', params: {} } as never
const capabilitiesIn = ({ envelope }: ServerContext['mcpReq']): Fields =>
  ((envelope as Fields | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Fields
const contentOf = (answer: Fields | undefined): string => JSON.stringify(answer?.content ?? answer ?? null)

const asks =
  (name: string, request: never): Answer =>
  (_, context) => {
    const answer = got(context, name)
    return answer ? said(text(`Got ${contentOf(answer)}`)) : inputRequired({ inputRequests: { [name]: request } })
  }

const stateful: Answer = async (_, context) => {
  const answer = got(context, 'confirm')
  if (answer && context.mcpReq.requestState()) return said(text('state-ok'))
  const confirm = form('Please confirm', { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] })
  return inputRequired({ inputRequests: { confirm }, requestState: await codec.mint({ kind: 'state' }, context) })
}

const enums = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: {
    type: 'string',
    oneOf: ['value1', 'value2', 'value3'].map((one) => ({ const: one, title: `Title of ${one}` })),
  },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: {
    type: 'array',
    items: { anyOf: ['value1', 'value2', 'value3'].map((one) => ({ const: one, title: `Title of ${one}` })) },
  },
}
const defaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
}
const elicits =
  (properties: object): Answer =>
  async ({ message = 'Please tell' }, { mcpReq }) => {
    const requestedSchema = { type: 'object', properties, required: [] } as never
    const { action, content } = await mcpReq.elicitInput({ message: String(message), requestedSchema })
    return said(text(`User response: ${action}, ${JSON.stringify(content ?? {})}`))
  }

const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

const tools: Readonly<Record<string, Answer>> = {
  test_simple_text: () => said(text('This is a simple text response for testing.')),
  test_image_content: () => said(image),
  test_audio_content: () => said({ type: 'audio', data: silence, mimeType: 'audio/wav' }),
  test_embedded_resource: () => said(resource('test://embedded-resource')),
  test_multiple_content_types: () =>
    said(text('Multiple content types test:'), image, resource('test://mixed-content-resource', 'application/json')),
  test_tool_with_logging: async (_, { mcpReq }) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', line)
      await pause()
    }
    return said(text('Logged.'))
  },
  test_tool_with_progress: async (_, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      } as never)
      await pause()
    }
    return said(text('Done.'))
  },
  test_error_handling: () => ({
    ...said(text('This tool intentionally returns an error for testing')),
    isError: true,
  }),
  test_sampling: async ({ prompt }, { mcpReq }) => {
    const messages = [{ role: 'user' as const, content: text(String(prompt)) }]
    return said(
      text(`LLM response: ${contentOf((await mcpReq.requestSampling({ messages, maxTokens: 100 })) as never)}`),
    )
  },
  test_elicitation: elicits({ username: { type: 'string' }, email: { type: 'string' } }),
  test_elicitation_sep1034_defaults: elicits(defaults),
  test_elicitation_sep1330_enums: elicits(enums),
  test_missing_capability: (_, { mcpReq }) => {
    const { sampling: samples } = capabilitiesIn(mcpReq)
    if (samples === undefined)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    return said(text('The client can sample.'))
  },
  test_streaming_elicitation: asks('user_name', form('What is your name?')),
  test_logging_tool: async (_, { mcpReq }) => {
    await mcpReq.log('info', 'Only for who asked to hear it')
    return said(text('Logged.'))
  },
  json_schema_2020_12_tool: (given) => said(text(JSON.stringify(given))),
  test_reconnection: async (_, { http }) => {
    http?.closeSSE?.()
    await pause()
    return said(text('Back again.'))
  },
  test_input_required_result_elicitation: asks('user_name', form('What is your name?')),
  test_input_required_result_sampling: asks('capital_question', sampling('What is the capital of France?')),
  test_input_required_result_list_roots: asks('client_roots', roots),
  test_input_required_result_request_state: stateful,
  test_input_required_result_tampered_state: stateful,
  test_input_required_result_multiple_inputs: async (_, context) => {
    const inputRequests = { user_name: form('Your name?'), greeting: sampling('Greet.'), client_roots: roots }
    if (Object.keys(inputRequests).every((name) => got(context, name))) return said(text('Got all of it.'))
    return inputRequired({ inputRequests, requestState: await codec.mint({ kind: 'many' }, context) })
  },
  test_input_required_result_multi_round: async (_, context) => {
    const { round = 0 } = context.mcpReq.requestState<{ round: number }>() ?? {}
    const next = async (step: number, name: string, request: never) =>
      inputRequired({ inputRequests: { [name]: request }, requestState: await codec.mint({ round: step }, context) })
    if (round === 2 && got(context, 'step2')) return said(text('Both rounds are done.'))
    if (round >= 1 && got(context, 'step1')) return next(2, 'step2', form('And your colour?', fields('color')))
    return next(1, 'step1', form('What is your name?'))
  },
  test_input_required_result_capabilities: (_, context) => {
    const { elicitation, sampling: samples } = capabilitiesIn(context.mcpReq)
    const inputRequests = {
      ...(elicitation !== undefined && { user_name: form('Your name?') }),
      ...(samples !== undefined && { greeting: sampling('Greet.') }),
    }
    const isAsked = Object.keys(inputRequests).length > 0 && context.mcpReq.inputResponses === undefined
    return isAsked ? inputRequired({ inputRequests }) : said(text('Nothing to ask.'))
  },
}

const schemas: Readonly<Record<string, object>> = {
  test_sampling: fields('prompt'),
  test_elicitation: fields('message'),
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
}

const prompts = {
  test_simple_prompt: { arguments: [], messages: () => [text('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    messages: ({ arg1, arg2 }: Fields) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    messages: ({ resourceUri }: Fields) => [resource(String(resourceUri)), text('Please process it.')],
  },
  test_prompt_with_image: { arguments: [], messages: () => [image, text('Please describe it.')] },
  test_input_required_result_prompt: { arguments: [], messages: () => [text('With what you said.')] },
} as const

const resources: Readonly<Record<string, object>> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: pixel },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched.' },
}
const template = /^test:\/\/template\/([^/]+)\/data$/

function serverOf(): Server {
  const server = new Server(
    { name: 'throughline-conformance', version: '1.0.0' },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} },
      requestState: { verify: codec.verify },
    },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      description: `What the suite calls ${name}`,
      inputSchema: (schemas[name] ?? { type: 'object', properties: {} }) as { type: 'object' },
    })),
  }))
  server.setRequestHandler('tools/call', (async ({ params }: { params: Fields }, context: ServerContext) => {
    const tool = tools[String(params.name)]
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${params.name}`)
    return tool((params.arguments ?? {}) as Fields, context)
  }) as never)
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(prompts).map(([name, prompt]) => ({
      name,
      description: `What the suite calls ${name}`,
      arguments: prompt.arguments.map((one) => ({ name: one, description: one, required: true })),
    })),
  }))
  server.setRequestHandler('prompts/get', (async ({ params }: { params: Fields }, context: ServerContext) => {
    const prompt = prompts[String(params.name) as keyof typeof prompts]
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt ${params.name}`)
    if (params.name === 'test_input_required_result_prompt' && !got(context, 'user_context'))
      return inputRequired({ inputRequests: { user_context: form('What is it about?', fields('context')) } })
    const messages = prompt.messages((params.arguments ?? {}) as Fields)
    return { messages: messages.map((content) => ({ role: 'user', content })) }
  }) as never)
  server.setRequestHandler('resources/list', () => ({
    resources: Object.entries(resources).map(([uri, { mimeType }]: [string, { mimeType?: string }]) => ({
      uri,
      name: uri,
      ...(mimeType && { mimeType }),
    })),
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'data', mimeType: 'application/json' }],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const [, id] = template.exec(uri) ?? []
    const made = {
      mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `Data for ${id}` }),
    }
    const found = id === undefined ? resources[uri] : made
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no resource ${uri}`, { uri })
    return { contents: [{ uri, ...found }] } as never
  })
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['test'], total: 1, hasMore: false },
  }))
  return server
}

/** Clients of 2025 have sessions here: only so can a tool ask them something. */
export async function serveConformance(port: number) {
  const modern = createMcpHandler(serverOf, { legacy: 'reject' })
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const legacy = async (request: Request): Promise<Response> => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
    if (known) return known.handleRequest(request)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await serverOf().connect(transport)
    return transport.handleRequest(request)
  }
  const isOurs = (name: string | null) =>
    name === null || /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(name)
  const answer = async (request: Request): Promise<Response> => {
    if (!isOurs(request.headers.get('host')) || !isOurs(request.headers.get('origin')))
      return new Response(null, { status: 403 })
    return (await isLegacyRequest(request.clone())) ? legacy(request) : modern.fetch(request)
  }
  const server = createServer(getRequestListener(answer))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await Promise.all([modern.close(), new Promise((resolve) => server.close(resolve))])
  }
  return { url, close }
}
