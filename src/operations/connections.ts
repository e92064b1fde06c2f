/** Models that the operator connects while the service runs: paste, test, pick, use. No answer ever holds a key. */
import { z } from 'zod'
import { HistoryError } from '../core/message/issue.js'
import { findModel } from '../core/tokens/models.js'
import { type Connection, type Connections, pasteable, type Tested } from '../models/connect/connections.js'
import { priceOf } from '../models/prices.js'
import { ModelError } from '../models/wire/contract.js'
import type { OperationContext } from './context.js'
import { operation } from './operation.js'
import { invalidInput, notFound, unknownModel } from './refusals.js'

const connectionShape = z
  .object({
    id: z.string().describe('The part before the slash in the ids of its models'),
    label: z.string(),
    url: z.string().nullable(),
    ending: z
      .string()
      .nullable()
      .describe('The last four characters of its key, which is never told; null without one'),
    from: z.enum(['app', 'settings']).describe('`settings`: it can only be changed where the service was started'),
    models: z.int(),
    refused_at: z.string().nullable().describe('When the provider refused the key, unless it took it since'),
  })
  .meta({ id: 'Connection', description: 'A provider or a server whose models can be asked' })

const offerShape = z.object({
  id: z.string(),
  label: z.string(),
  window: z.int().nullable().describe('Tokens; null when neither the provider nor the catalogue says'),
  price: z.object({ input: z.number(), output: z.number() }).nullable().describe('US dollars per million tokens'),
  tools: z.boolean().nullable(),
  images: z.boolean().nullable(),
})

const testedShape = z
  .object({
    id: z.string(),
    label: z.string(),
    milliseconds: z.int(),
    models: z.array(offerShape),
    best: z.string().nullable().describe('The model to begin with'),
  })
  .meta({ id: 'TestedConnection', description: 'What a provider or a server offers' })

const pasted = {
  pasted: z.string().min(1).max(2_000).describe('A key, or the address of a server'),
  provider: z.string().min(1).max(64).optional().describe('Whose key it is, where its beginning does not tell'),
  key: z.string().min(1).max(512).optional().describe('The key of a server whose address is pasted'),
}

const detail =
  'A key is kept on the server, in a file that only its owner can read, and no answer ever holds it. Only the operator may do this: anyone at an open service, or an admin key of the workspace `default`.'

export const listConnections = operation({
  name: 'connections.list',
  summary: 'What is connected, and which servers of models run on this machine',
  detail,
  scope: 'operator',
  input: z.strictObject({}),
  output: z.object({
    available: z
      .boolean()
      .describe('Whether models can be connected here: false where a program gave the service its models'),
    items: z.array(connectionShape),
    next_cursor: z.null(),
    local: z.array(z.object({ id: z.string(), label: z.string(), models: z.array(z.string()) })),
    providers: z.array(z.object({ id: z.string(), label: z.string() })).describe('Those whose keys can be pasted'),
    usual: z.string().describe('The model that answers when none is named'),
  }),
  run: async (context) => {
    const { connections } = context
    // models that open when they are first asked know their usual one then
    if (!connections) await context.models.list()
    const [items, local] = connections ? await Promise.all([connections.list(), connections.local()]) : [[], []]
    return {
      available: connections !== null,
      items: items.map(toWire),
      next_cursor: null,
      local: local.map((one) => ({ ...one, models: [...one.models] })),
      providers: [...pasteable],
      usual: context.models.usual,
    }
  },
})

export const testConnection = operation({
  name: 'connections.test',
  summary: 'Try a key or an address: what it is, whether it works, and what it offers; nothing is kept',
  detail,
  scope: 'operator',
  input: z.strictObject(pasted),
  output: testedShape,
  refusals: ['invalid'],
  example: { pasted: 'http://127.0.0.1:9/v1' },
  run: async (context, request) => testedToWire(await tried(open(context).test(request))),
})

export const addConnection = operation({
  name: 'connections.add',
  summary: 'Connect a model: a key or an address is tested, kept, and can be used at once',
  detail,
  scope: 'operator',
  input: z.strictObject(pasted),
  output: connectionShape,
  refusals: ['invalid'],
  example: { pasted: 'http://127.0.0.1:9/v1' },
  run: async (context, request) => toWire(await tried(open(context).add(request))),
})

const connection = z.string().min(1).max(64)

export const listOffers = operation({
  name: 'offers.list',
  summary: 'What a connection offers now',
  detail,
  scope: 'operator',
  input: z.strictObject({ connection }),
  output: testedShape,
  refusals: ['invalid'],
  example: { connection: 'anthropic' },
  run: async (context, { connection }) => {
    const tested = await tried(open(context).offers(connection))
    if (!tested) throw notFound('connection', connection)
    return testedToWire(tested)
  },
})

export const removeConnection = operation({
  name: 'connections.remove',
  summary: 'Forget a connection and its key',
  detail,
  scope: 'operator',
  destroys: true,
  input: z.strictObject({ connection }),
  output: z.object({ removed: z.literal(true) }),
  refusals: ['invalid'],
  example: { connection: 'anthropic' },
  run: async (context, { connection }) => {
    if (!(await open(context).remove(connection))) throw notFound('connection', connection)
    return { removed: true } as const
  },
})

export const useModel = operation({
  name: 'models.use',
  summary: 'Choose the model that answers when none is named',
  scope: 'operator',
  input: z.strictObject({ model: z.string().min(1).max(300) }),
  output: z.object({ usual: z.string() }),
  refusals: ['invalid', 'unknown_model'],
  example: { model: 'builtin/extractive' },
  run: async (context, { model }) => {
    await tried(open(context).use(model))
    return { usual: context.models.usual }
  },
})

function open({ connections }: OperationContext): Connections {
  if (connections) return connections
  const message = 'models cannot be connected here: this service was given its models by the program that opened it'
  throw new HistoryError('invalid', [{ code: 'invalid', message }])
}

/** What is wrong with a key is told where the key is. */
async function tried<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!ModelError.is(error)) throw error
    if (error.code === 'unknown_model') throw unknownModel(error.message)
    if (error.code === 'unauthorized') throw refusedKey(error)
    if (error.code === 'refused' && error.status === null) throw invalidInput('pasted', error.message)
    // said where the key is, whoever is at fault
    throw new HistoryError('invalid', [{ code: 'invalid', field: 'pasted', message: sentence(error) }])
  }
}

const refusedKey = (error: ModelError): HistoryError => {
  const message = `${sentence(error)} Check that it is complete and still valid.`
  return new HistoryError('invalid', [{ code: 'unauthorized', field: 'pasted', message }])
}

const sentence = ({ message }: ModelError): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`

const toWire = ({ refusedAt, ...one }: Connection) => ({ ...one, refused_at: refusedAt })

function testedToWire({ offers, ...tested }: Tested): z.output<typeof testedShape> {
  const models = offers.map(({ name, label, window, price, tools, images }) => {
    const id = `${tested.id}/${name}`
    const facts = findModel(id)
    const row = priceOf(id)
    return {
      id,
      label,
      window: window ?? (facts.source === 'catalog' ? facts.window : null),
      price: price ?? (row ? { input: row.input, output: row.output } : null),
      tools: tools ?? null,
      images: images ?? null,
    }
  })
  return { ...tested, models }
}
