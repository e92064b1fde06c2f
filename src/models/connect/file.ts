/** Where connections are kept: a file that nobody but its owner can read. */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'

const offer = z.object({
  name: z.string(),
  label: z.string(),
  window: z.int().positive().exactOptional(),
  price: z.object({ input: z.number(), output: z.number() }).exactOptional(),
  tools: z.boolean().exactOptional(),
  images: z.boolean().exactOptional(),
})

const connection = z.object({
  id: z.string(),
  label: z.string(),
  /** `server`: any that speaks OpenAI Chat Completions. */
  type: z.enum(['provider', 'server', 'ollama']),
  url: z.string().nullable(),
  key: z.string().nullable(),
  models: z.array(offer),
  at: z.string(),
})

const kept = z.object({
  version: z.literal(1),
  /** The model that answers when none is named. */
  model: z.string().nullable(),
  connections: z.array(connection),
})

export type KeptConnection = z.output<typeof connection>
export type KeptConnections = z.output<typeof kept>

export const noConnections: KeptConnections = { version: 1, model: null, connections: [] }

export async function readConnections(file: string): Promise<KeptConnections> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return noConnections
    throw error
  }
  const parsed = kept.safeParse(json(text))
  if (parsed.success) return parsed.data
  // what it holds is not quoted: there are keys in it
  throw new Error(`${file} is not a file of connections: correct it, or move it away to connect the models again`)
}

/** Either the old file or the new one is there, never half of one. */
export async function writeConnections(file: string, connections: KeptConnections): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const half = `${file}.${randomUUID()}`
  try {
    await writeFile(half, `${JSON.stringify(connections, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
    await rename(half, file)
  } catch (error) {
    await rm(half, { force: true })
    throw error
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
