/** What a conversation can be run with: the policies and the models there are. */
import { z } from 'zod'
import { policyHash } from '../core/policy/parse.js'
import { isPreset, presetNames, presets } from '../core/policy/presets/index.js'
import type { Policy } from '../core/policy/schema.js'
import { operation } from './operation.js'
import { notFound } from './refusals.js'
import { modelOf, modelSchema } from './shapes/model.js'

const policySchema = z
  .object({ name: z.string(), says: z.string(), hash: z.string(), policy: z.record(z.string(), z.unknown()) })
  .meta({ id: 'Policy', description: 'How a path becomes a window' })

export const listPolicies = operation({
  name: 'policies.list',
  summary: 'The policies that come with the package',
  scope: 'read',
  input: z.strictObject({}),
  output: z.object({ items: z.array(policySchema), next_cursor: z.null() }),
  run: async (context) => ({
    items: presetNames.map((name) => policyOf(context.presets[name] ?? presets[name])),
    next_cursor: null,
  }),
})

export const getPolicy = operation({
  name: 'policies.get',
  summary: 'One policy, every field of it',
  scope: 'read',
  input: z.strictObject({ policy: z.string().min(1).max(64) }),
  output: policySchema,
  example: { policy: 'balanced' },
  run: async (context, { policy }) => {
    if (!isPreset(policy)) throw notFound('policy', policy)
    return policyOf(context.presets[policy] ?? presets[policy])
  },
})

export const listModels = operation({
  name: 'models.list',
  summary: 'The models that can be asked, and the one that answers when none is named',
  scope: 'read',
  input: z.strictObject({}),
  output: z.object({ items: z.array(modelSchema), next_cursor: z.null(), usual: z.string() }),
  run: async ({ models }) => ({ items: (await models.list()).map(modelOf), next_cursor: null, usual: models.usual }),
})

const policyOf = (policy: Policy) => ({
  name: policy.name,
  says: policy.says,
  hash: policyHash(policy),
  policy: { ...policy } as Record<string, unknown>,
})
