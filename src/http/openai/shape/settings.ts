/** How an answer is to be made, as both of OpenAI's ways to ask for one tell it. */
import { z } from 'zod'
import { defined } from '../../../core/message/defined.js'
import type { ModelSettings } from '../../../models/wire/contract.js'

export const sampling = {
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  seed: z.int().nullish(),
}

const format = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  schema: z.record(z.string(), z.unknown()).optional(),
  json_schema: z
    .looseObject({ name: z.string().optional(), schema: z.record(z.string(), z.unknown()).optional() })
    .optional(),
})

export const responseFormat = format.nullish()

interface Given {
  readonly top_p?: number | null | undefined
  readonly seed?: number | null | undefined
  readonly stop?: string | readonly string[] | null | undefined
  readonly format?: z.output<typeof responseFormat>
  readonly choice?: ModelSettings['choice']
  readonly prompt_cache_key?: string | null | undefined
}

/** Undefined when nothing is asked for. */
export function openaiSettings({
  top_p,
  seed,
  stop,
  format: given,
  choice,
  prompt_cache_key,
}: Given): ModelSettings | undefined {
  const settings = defined<ModelSettings>({
    topP: top_p ?? undefined,
    seed: seed ?? undefined,
    stop: stop === null || stop === undefined ? undefined : [stop].flat(),
    choice,
    cacheKey: prompt_cache_key ?? undefined,
    json: jsonOf(given),
  })
  return Object.keys(settings).length === 0 ? undefined : settings
}

function jsonOf(given: Given['format']): ModelSettings['json'] {
  if (!given || given.type === 'text') return undefined
  const { name, schema } = given.json_schema ?? given
  return defined<NonNullable<ModelSettings['json']>>({ name, schema })
}
