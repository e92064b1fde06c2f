/** A request of the Gemini API. */
import { z } from 'zod'

const fields = z.record(z.string(), z.unknown())
const content = z.looseObject({ role: z.string().optional(), parts: z.array(fields) })

const declaration = z.looseObject({
  name: z.string().min(1).max(128),
  description: z.string().optional(),
  parameters: fields.optional(),
  parametersJsonSchema: fields.optional(),
})

export const googleBody = z.looseObject({
  contents: z.union([z.array(content).min(1), content]).optional(),
  generateContentRequest: z.looseObject({ contents: z.array(content).min(1) }).optional(),
  systemInstruction: z.union([z.string(), z.looseObject({ parts: z.array(fields) })]).optional(),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(declaration).optional() })).optional(),
  toolConfig: z
    .looseObject({
      functionCallingConfig: z
        .looseObject({ mode: z.string().optional(), allowedFunctionNames: z.array(z.string()).optional() })
        .optional(),
    })
    .optional(),
  generationConfig: z
    .looseObject({
      temperature: z.number().min(0).max(2).optional(),
      topP: z.number().min(0).max(1).optional(),
      seed: z.int().optional(),
      maxOutputTokens: z.int().min(1).optional(),
      stopSequences: z.array(z.string().min(1)).max(100).optional(),
      responseMimeType: z.string().optional(),
      responseSchema: fields.optional(),
      responseJsonSchema: fields.optional(),
      thinkingConfig: z.looseObject({ thinkingBudget: z.int().optional() }).optional(),
    })
    .optional(),
})

export type GoogleBody = z.output<typeof googleBody>
