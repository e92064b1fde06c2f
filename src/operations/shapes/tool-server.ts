/** A tool server as it is written in the settings and on the wire. */
import { z } from 'zod'

export const approvalSchema = z
  .enum(['ask', 'always', 'never'])
  .describe('`ask`: someone allows each call; `always`: it runs at once; `never`: it is refused')

export const serverName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be lower-case letters, digits and -, at most 32')
  .describe('Its tools are called NAME__TOOL')

const words = z.string().min(1).max(4_000)

/** A program that speaks MCP on stdin and stdout, or the address of a server that speaks it over HTTP. */
export const serverFields = {
  command: words.optional(),
  args: z.array(z.string().max(4_000)).max(64).optional(),
  env: z.array(words).max(64).optional().describe('Names of variables that the program gets'),
  cwd: words.optional(),
  url: z.url({ protocol: /^https?$/ }).optional(),
  headers: z.record(z.string().min(1).max(200), words).optional(),
  approval: approvalSchema.default('ask'),
  tools: z.record(words, approvalSchema).default({}),
}
