/** What a request asks for, in our words. */

import { defined } from '../../core/message/defined.js'
import { decode } from '../../core/message/dialects/decode.js'
import type { ModelSettings, ModelTool } from '../../models/wire/contract.js'
import { named } from '../dialect/contents.js'
import { modelNamed } from '../dialect/model-name.js'
import { refuse } from '../dialect/refuse.js'
import type { Ask } from '../dialect/start.js'
import type { Context } from '../kit/context.js'
import type { GoogleBody } from './body.js'

export async function googleAsk({ frame }: Pick<Context, 'frame'>, name: string, body: GoogleBody): Promise<Ask> {
  const model = await modelNamed(frame.models, name)
  return defined<Ask>({
    messages: googleMessages(body),
    model: model?.id,
    system: googleSystem(body),
    tools: googleTools(body),
    output: body.generationConfig?.maxOutputTokens,
    temperature: body.generationConfig?.temperature,
    settings: settingsOf(body),
    overrides: undefined,
    budget: undefined,
    usualPolicy: undefined,
    key: undefined,
  })
}

export function googleMessages({ contents, generateContentRequest }: GoogleBody): readonly unknown[] {
  const given = contents ?? generateContentRequest?.contents
  if (given === undefined) throw refuse('contents', 'is missing')
  const messages = named([given].flat())
  messages.forEach((message, i) => {
    const read = decode(message)
    if (!read.ok) throw refuse(`contents[${i}]${read.field === '' ? '' : `.${read.field}`}`, read.reason)
  })
  return messages
}

export function googleSystem({ systemInstruction: given }: GoogleBody): string | undefined {
  const text = typeof given === 'string' ? given : (given?.parts ?? []).flatMap(({ text }) => text ?? []).join('\n')
  return text === '' ? undefined : text
}

/** A client's functions are its own to run. What only Google can run is not offered to another model. */
export function googleTools({ tools }: GoogleBody): readonly ModelTool[] | undefined {
  const made = (tools ?? []).flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name, description, parameters, parametersJsonSchema }) => ({
      name,
      ...(description !== undefined && { description }),
      parameters: parametersJsonSchema ?? parameters ?? { type: 'object', properties: {} },
    })),
  )
  return made.length === 0 ? undefined : made
}

function settingsOf({ generationConfig: given = {}, toolConfig }: GoogleBody): ModelSettings | undefined {
  const { topP, seed, stopSequences, responseMimeType, responseSchema, responseJsonSchema, thinkingConfig } = given
  const schema = responseJsonSchema ?? responseSchema
  const budget = thinkingConfig?.thinkingBudget
  const settings = defined<ModelSettings>({
    topP,
    seed,
    stop: stopSequences && stopSequences.length > 0 ? stopSequences : undefined,
    choice: choiceOf(toolConfig?.functionCallingConfig),
    thinking: budget !== undefined && budget > 0 ? budget : undefined,
    json: responseMimeType === 'application/json' ? { ...(schema && { schema }) } : undefined,
  })
  return Object.keys(settings).length === 0 ? undefined : settings
}

type Calling = NonNullable<GoogleBody['toolConfig']>['functionCallingConfig']

function choiceOf(given: Calling): ModelSettings['choice'] {
  const [only, ...others] = given?.allowedFunctionNames ?? []
  if (given?.mode === 'NONE') return 'none'
  if (given?.mode !== 'ANY') return undefined
  return only !== undefined && others.length === 0 ? { tool: only } : 'required'
}
