/** Looks for models on this machine. */
import { fieldsOf, listOf } from '../../core/message/fields.js'
import type { Fetch } from './dial.js'

export interface LocalModel {
  readonly name: string
  /** Tokens of its context, when the server tells. */
  readonly window?: number
}

export const usualAddress = { ollama: 'http://127.0.0.1:11434', lmstudio: 'http://127.0.0.1:1234/v1' } as const

export interface Look {
  readonly fetch: Fetch
  readonly timeoutMs: number
}

/** The models of an Ollama, or null when none answers there. */
export async function detectOllama(baseUrl: string, look: Look): Promise<readonly LocalModel[] | null> {
  const found = await ask(`${baseUrl}/api/tags`, look)
  if (!found) return null
  return listOf(fieldsOf(found).models).flatMap((model) => named(fieldsOf(model).name) ?? [])
}

/** The context that a model of Ollama was made for. */
export async function ollamaWindow(baseUrl: string, name: string, look: Look): Promise<number | undefined> {
  const info = fieldsOf(fieldsOf(await ask(`${baseUrl}/api/show`, look, { model: name })).model_info)
  const key = Object.keys(info).find((field) => field.endsWith('.context_length'))
  return positive(key === undefined ? undefined : info[key])
}

/** The models of an LM Studio, or null when none answers there; its own listing knows the size of the context. */
export async function detectLmStudio(baseUrl: string, look: Look): Promise<readonly LocalModel[] | null> {
  const own = await ask(`${baseUrl.replace(/\/v1$/, '')}/api/v0/models`, look)
  const found = own && Array.isArray(fieldsOf(own).data) ? own : await ask(`${baseUrl}/models`, look)
  if (!found) return null
  return listOf(fieldsOf(found).data).flatMap((model) => {
    const { id, loaded_context_length, max_context_length, type } = fieldsOf(model)
    if (type === 'embeddings') return []
    return named(id, positive(loaded_context_length) ?? positive(max_context_length)) ?? []
  })
}

function named(name: unknown, window?: number): LocalModel | undefined {
  if (typeof name !== 'string' || name === '' || /\bembed/i.test(name)) return undefined
  return { name, ...(window !== undefined && { window }) }
}

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined

/** Whatever goes wrong, there is no such server. */
async function ask(url: string, { fetch, timeoutMs }: Look, body?: unknown): Promise<unknown> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'manual',
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    if (response.ok) return await response.json()
    await response.body?.cancel()
    return null
  } catch {
    return null
  }
}
