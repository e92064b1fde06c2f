/** The service about its own state. */
import { z } from 'zod'
import { families } from '../../core/tokens/family.js'
import type { ModelListing } from '../../models/wire/contract.js'
import { systemWorkspace } from '../../operations/context.js'
import { modelOf, modelSchema } from '../../operations/shapes/model.js'
import { blobBytes } from '../history/blobs.js'
import type { Context, ServiceFrame } from '../kit/context.js'
import { Problem } from '../kit/problem.js'
import { type Route, route } from '../kit/route.js'

const systemSchema = z
  .object({
    service: z.literal('throughline'),
    version: z.string().nullable(),
    storage: z.string().nullable(),
    auth: z.enum(['open', 'keys']),
    model: z.string().describe('The one that answers when none is named'),
    ai: z.boolean().describe('Whether that one is an AI'),
    policy: z.string().describe('The policy of conversations that name none'),
    hint: z.string().optional().describe('How to connect a model, while none is'),
    models: z.array(modelSchema),
    tokenizers: z.array(z.string()),
    limits: z.object({
      body_bytes: z.int(),
      blob_bytes: z.int(),
      query_bytes: z.int(),
      depth: z.int(),
      values: z.int(),
    }),
  })
  .meta({ id: 'System', description: 'Version, storage, models and limits of this server' })

const healthSchema = z.object({ status: z.literal('ok'), service: z.literal('throughline') })

const health = { status: 'ok', service: 'throughline' } as const

export const systemRoutes: readonly Route[] = [
  route({
    name: 'getSystem',
    method: 'get',
    path: '/api/v1/system',
    tag: 'system',
    summary: 'Version, storage, models and limits',
    scope: 'read',
    owned: {},
    answers: { 200: systemSchema },
    handle: ({ frame }) => systemOf(frame),
  }),
  route({
    name: 'getHealth',
    method: 'get',
    path: '/health',
    tag: 'system',
    summary: 'The service is up',
    scope: 'open',
    probe: true,
    answers: { 200: healthSchema },
    handle: () => health,
  }),
  route({
    name: 'getReady',
    method: 'get',
    path: '/ready',
    tag: 'system',
    summary: 'The service can do its work: its storage answers',
    scope: 'open',
    probe: true,
    answers: { 200: healthSchema },
    handle: ready,
  }),
]

async function ready({ frame }: Context): Promise<typeof health> {
  try {
    await frame.store.getRecord(systemWorkspace, 'secret', 'turns')
    return health
  } catch (cause) {
    throw new Problem('unavailable', { detail: 'the storage does not answer', cause, headers: { 'retry-after': '1' } })
  }
}

async function systemOf({ models, live, limits, policy }: ServiceFrame): Promise<z.input<typeof systemSchema>> {
  const listed = await models.list()
  const ai = listed.find(({ id }) => id === models.usual)?.kind !== 'builtin'
  return {
    service: 'throughline',
    version: live.version,
    storage: live.storage,
    auth: live.auth,
    model: models.usual,
    ai,
    policy: typeof policy === 'string' ? policy : policy.name,
    ...(ai ? null : { hint: hintFor(listed) }),
    models: listed.map(modelOf),
    tokenizers: families.filter((family) => family !== 'unknown'),
    limits: {
      body_bytes: limits.bodyBytes,
      blob_bytes: blobBytes,
      query_bytes: 102_400,
      depth: limits.depth,
      values: limits.values,
    },
  }
}

function hintFor(listed: readonly ModelListing[]): string {
  const other = listed.find(({ kind, ready: isReady }) => kind !== 'builtin' && isReady)
  if (other) return `No AI answers yet. Set THROUGHLINE_MODEL=${other.id} to have that one answer.`
  return 'No AI answers yet. Start Ollama or LM Studio on this machine, or set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY and THROUGHLINE_MODEL.'
}
