/** What a message is made of, as it is stored and as it is accepted. */
import { z } from 'zod'

const textPart = z.object({ type: z.literal('text'), text: z.string() }).meta({ id: 'TextPart' })

const thinkPart = z
  .object({
    type: z.literal('think'),
    text: z.string(),
    signature: z.string().optional(),
    sealed: z.string().optional(),
    id: z.string().optional(),
  })
  .meta({ id: 'ThinkPart', description: 'Reasoning; replayed only to the model it came from' })

const fileSource = z.union([
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('data'), base64: z.string() }),
  z.object({ kind: z.literal('url'), url: z.string() }),
  z.object({ kind: z.literal('ref'), id: z.string() }),
])

const filePart = z
  .object({
    type: z.literal('file'),
    mediaType: z.string(),
    name: z.string().optional(),
    language: z.string().optional(),
    source: fileSource,
  })
  .meta({ id: 'FilePart', description: 'A file; nothing it names is ever fetched' })

const output = z.array(z.union([textPart, filePart]))

const outcome = z.union([
  z.object({ state: z.literal('pending') }),
  z.object({ state: z.enum(['ok', 'error']), output }),
])

const callPart = z
  .object({ type: z.literal('call'), id: z.string(), name: z.string(), input: z.unknown(), outcome })
  .meta({ id: 'CallPart', description: 'A tool call; in a log its result is an entry of its own' })

export const outputSchema = output
export const partsSchema = z.array(z.union([textPart, thinkPart, filePart, callPart]))
