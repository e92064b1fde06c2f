/** The models that can be asked. */
import { z } from 'zod'
import type { Model } from '../../models/contract.js'
import type { Route } from '../route.js'
import { modelNamed } from './model-name.js'
import { openaiRoute } from './route.js'

const modelSchema = z
  .object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() })
  .meta({ id: 'OpenaiModel' })

export const modelRoutes: readonly Route[] = [
  openaiRoute({
    name: 'openaiListModels',
    method: 'get',
    path: '/v1/models',
    summary: 'The models that can be asked; `default` is the one that answers when none is named',
    scope: 'read',
    query: z.looseObject({}),
    answers: { 200: z.object({ object: z.literal('list'), data: z.array(modelSchema) }) },
    async handle({ frame }) {
      const listed = (await frame.models.list()).filter(({ ready }) => ready)
      return { object: 'list', data: listed.map(modelOf) }
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

/** When a model was made is nobody's to say; the beginning of time is what OpenAI's clients can read. */
const modelOf = ({ id }: Pick<Model, 'id'>): z.output<typeof modelSchema> => ({
  id,
  object: 'model',
  created: 0,
  owned_by: id.split('/', 1)[0] as string,
})
