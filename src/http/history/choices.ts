/** What a conversation can be run with: the policies and the models there are. */
import { z } from 'zod'
import { hashOf } from '../../core/policy/hash.js'
import { isPreset, presets } from '../../core/policy/presets/index.js'
import type { Policy } from '../../core/policy/schema.js'
import { modelOf, modelSchema } from '../../operations/shapes/model.js'
import { Problem } from '../problem.js'
import { fresh } from '../reply.js'
import { type Route, route } from '../route.js'

const policySchema = z
  .object({ name: z.string(), says: z.string(), hash: z.string(), policy: z.record(z.string(), z.unknown()) })
  .meta({ id: 'Policy', description: 'How a path becomes a window' })

export const choiceRoutes: readonly Route[] = [
  route({
    name: 'listPolicies',
    method: 'get',
    path: '/api/v1/policies',
    tag: 'windows',
    summary: 'The policies that come with the package',
    scope: 'read',
    tagged: true,
    answers: { 200: z.object({ items: z.array(policySchema), next_cursor: z.null() }) },
    handle: (context) => fresh(context, { items: Object.values(presets).map(policyOf), next_cursor: null }),
  }),
  route({
    name: 'getPolicy',
    method: 'get',
    path: '/api/v1/policies/{policy}',
    tag: 'windows',
    summary: 'One policy, every field of it',
    scope: 'read',
    tagged: true,
    answers: { 200: policySchema },
    example: { params: { policy: 'balanced' } },
    handle: (context) => {
      const { policy } = context.params
      if (!isPreset(policy)) throw new Problem('not_found')
      return fresh(context, policyOf(presets[policy]))
    },
  }),
  route({
    name: 'listModels',
    method: 'get',
    path: '/api/v1/models',
    tag: 'windows',
    summary: 'The models that can be asked, and the one that answers when none is named',
    scope: 'read',
    answers: { 200: z.object({ items: z.array(modelSchema), next_cursor: z.null(), usual: z.string() }) },
    handle: async ({ frame }) => ({
      items: (await frame.models.list()).map(modelOf),
      next_cursor: null,
      usual: frame.models.usual,
    }),
  }),
]

const policyOf = (policy: Policy) => ({ name: policy.name, says: policy.says, hash: hashOf(policy), policy })
