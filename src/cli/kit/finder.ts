/** What finds messages, from the settings. */
import type { Config } from '../../config/schema.js'
import { openEmbedder } from '../../models/embedder.js'
import { createFinder, type Finder } from '../../recall/finder.js'
import { usualFinder } from '../../recall/usual.js'

/** A provider may be slow: a search waits for so many messages at most. */
const few = 1_000

export function finderOf(config: Config): Finder {
  const { embeddings, embeddings_url: url, embeddings_model: model } = config
  if (embeddings === 'off') return createFinder({ embedder: null })
  if (embeddings === 'builtin' || url === null || model === null) return usualFinder
  const { embeddings_key: apiKey, embeddings_dimensions: dimensions } = config
  const embedder = openEmbedder({
    url,
    model,
    ...(apiKey !== null && { apiKey }),
    ...(dimensions > 0 && { dimensions }),
  })
  return createFinder({ embedder, most: few })
}
