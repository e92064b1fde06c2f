/** Receipts on the wire, as core makes them. */
import { z } from 'zod'
import { targets } from '../../core/message/target.js'
import { id, instant, issueSchema } from './common.js'

const fate = z.enum(['kept', 'clipped', 'folded', 'summarised', 'recalled', 'dropped'])
const pair = z.array(z.number()).length(2)
const count = z.int().min(0)

const lineSchema = z
  .object({
    from: count,
    to: count,
    fate,
    stage: z.enum(['intake', 'fold', 'clip', 'fit', 'mend']),
    rule: z.string(),
    tokens: pair.nullable(),
    chars: pair.nullable(),
    restore: z.number().nullable(),
    estimated: z.literal(true).optional(),
  })
  .meta({ id: 'Line', description: 'A run of messages that share a fate, positions inclusive' })

const modelFacts = z.object({
  id: z.string(),
  family: z.string(),
  window: z.int(),
  source: z.enum(['catalog', 'assumed', 'given']),
})

const requestSchema = z
  .object({
    window: z.number().nullable().describe('Tokens that the model takes, its answer included'),
    budget: z.number().nullable().describe('Tokens that the request may have, system prompt and tools included'),
    used: z.number().describe('Tokens that it has: the sum of `parts`'),
    free: z.number().nullable(),
    parts: z.object({
      system: z.number(),
      tools: z.number(),
      frame: z.number(),
      history: z.number(),
      summary: z.number(),
      recall: z.number(),
      markers: z.number(),
      current: z.number(),
    }),
    messages: z.object({ sent: count, of: count }),
    tokens: z.object({ sent: z.number(), of: z.number().nullable(), estimated: z.literal(true).optional() }),
    each: z.array(z.array(z.number()).length(3)).describe('For each message that is sent: index, tokens sent, whole'),
  })
  .meta({ id: 'RequestNumbers', description: 'The request in numbers, from one count' })

/** Without those of each message. */
export const numbersShape = z.object(requestSchema.omit({ each: true }).shape)

export function withoutEach<T extends { readonly each: unknown }>({ each: _, ...numbers }: T): Omit<T, 'each'> {
  return numbers
}

const roomSchema = z
  .object({
    mode: z.enum(['steps', 'full']),
    why: z.enum(['cached', 'not_cached', 'too_short', 'policy']),
    free: z.number().describe('Tokens left for the next turns'),
    turns: z.int().describe('About how many turns go into a step'),
    price: z.object({ steps: z.number(), full: z.number() }).describe('Of one request, in tokens at the full price'),
    next: z
      .object({ after: z.number(), saves: z.number(), costs: z.number() })
      .optional()
      .describe('When the next step comes, what it saves, and how much is then sent that is not cached'),
  })
  .meta({ id: 'WindowRoom', description: 'How full the window is once something has to give way, and why' })

export const receiptSchema = z
  .object({
    schema: z.literal('throughline.receipt/1'),
    policy: z.object({ name: z.string(), hash: z.string(), compat: z.literal('literal').optional() }),
    target: z.enum(targets),
    model: modelFacts.nullable(),
    counter: z.object({ name: z.string(), exact: z.boolean() }),
    request: requestSchema,
    budget: z.object({
      tokens: z.number().nullable(),
      used: z.number(),
      free: z.number().nullable(),
      reserve: z.object({ system: z.number(), tools: z.number(), response: z.number() }),
      limit: z.string().nullable(),
      excess: z.number(),
    }),
    totals: z.object({
      messages: count,
      kept: count,
      clipped: count,
      folded: count,
      summarised: count,
      recalled: count,
      dropped: count,
      tokens: z.object({ before: z.number().nullable(), after: z.number() }),
    }),
    lines: z.array(lineSchema),
    current: z.object({ fate, rule: z.string(), tokens: pair }).nullable(),
    gaps: z.array(z.object({ before: z.int(), missing: z.int() })),
    mended: z.array(z.object({ rule: z.string(), count: z.int() })),
    warnings: z.array(issueSchema),
    wire: z.object({ hash: z.string(), length: z.int() }),
    room: roomSchema.optional(),
    summary: z
      .object({ id: z.string().optional(), until: z.string(), messages: count, tokens: z.number() })
      .optional()
      .describe('What stands for the beginning'),
    recall: z
      .object({
        items: z.array(
          z.object({
            id: z.string(),
            index: count.nullable(),
            score: z.number(),
            reason: z.string(),
            tokens: z.number(),
            kind: z.literal('memory').optional().describe('Not a message but a memory, by its id'),
            from: z.string().optional().describe('The title of another conversation'),
            conversation: z.string().optional(),
          }),
        ),
        tokens: z.number(),
        share: z.number(),
        why: z.enum(['usual', 'past', 'alone']).optional(),
      })
      .optional()
      .describe('What was brought back for the message to answer'),
    risks: z.array(z.object({ kind: z.string(), text: z.string(), message: z.int() })).optional(),
  })
  .meta({ id: 'Receipt', description: 'The account of one window: the fate of every message, and why' })

export const keptReceiptSchema = z
  .object({
    id,
    conversation_id: id,
    message_id: id.nullable().describe('The answer that the window led to'),
    run_id: id.nullable(),
    at: instant,
    receipt: receiptSchema,
    explanation: z.string().describe('In words'),
  })
  .meta({ id: 'KeptReceipt', description: 'A receipt that is kept with its conversation' })
