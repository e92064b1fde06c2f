/** The models that can be asked. */
import { z } from 'zod'
import type { Model, ModelListing } from '../../models/wire/contract.js'
import { modelNamed } from '../dialect/model-name.js'
import type { Route } from '../kit/route.js'
import { openaiRoute } from './shape/route.js'

const modelSchema = z
  .object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() })
  .meta({ id: 'OpenaiModel' })

const listSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) })

const anthropicSchema = z.object({
  data: z.array(
    z.object({ type: z.literal('model'), id: z.string(), display_name: z.string(), created_at: z.string() }),
  ),
  has_more: z.literal(false),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
})

export const modelRoutes: readonly Route[] = [
  openaiRoute({
    name: 'openaiListModels',
    method: 'get',
    path: '/v1/models',
    summary: 'The models that can be asked; `default` is the one that answers when none is named',
    scope: 'read',
    query: z.strictObject({ limit: z.int().min(1).max(1_000).optional() }),
    answers: { 200: z.union([listSchema, anthropicSchema]) },
    async handle({ frame, request }) {
      const listed = (await frame.models.list()).filter(({ ready }) => ready)
      // both APIs have this path, and Anthropic's clients say who they are
      return request.headers.has('anthropic-version')
        ? anthropicList(listed)
        : { object: 'list', data: listed.map(modelOf) }
    },
  }),
  openaiRoute({
    name: 'openaiGetModel',
    method: 'get',
    path: '/v1/models/{model}',
    summary: 'One model',
    scope: 'read',
    answers: { 200: modelSchema },
    problems: ['unknown_model'],
    example: { params: { model: 'builtin/extractive' } },
    async handle({ frame, params }) {
      return modelOf((await modelNamed(frame.models, params.model)) ?? (await frame.models.find()))
    },
  }),
]

const anthropicList = (listed: readonly ModelListing[]): z.output<typeof anthropicSchema> => ({
  data: listed.map(({ id, label }) => ({
    type: 'model',
    id,
    display_name: label,
    created_at: new Date(0).toISOString(),
  })),
  has_more: false,
  first_id: listed[0]?.id ?? null,
  last_id: listed.at(-1)?.id ?? null,
})

/** When a model was made is nobody's to say; the beginning of time is what OpenAI's clients can read. */
const modelOf = ({ id }: Pick<Model, 'id'>): z.output<typeof modelSchema> => ({
  id,
  object: 'model',
  created: 0,
  owned_by: id.split('/', 1)[0] as string,
})
