import { expect, test } from 'vitest'
import { startProvider } from '../../../test/provider/server.js'
import { drain, modelAt, requestFor } from '../models.fixture.js'

test.each(['openai-responses', 'openai-chat', 'anthropic', 'google'] as const)(
  '%s: OpenAI is told which requests share a beginning, and nobody else',
  async (wire) => {
    const provider = await startProvider({ answer: { text: 'Hello.' } })
    const model = await modelAt(wire, provider.url)
    const own = { settings: { cacheKey: 'mine' } }
    for (const more of [{ cacheKey: 'c1' }, { cacheKey: 'c1', ...own }, {}])
      await drain(model.stream(requestFor(model, {}, more)))
    const keys = provider.requests.map(({ body }) => (body as { readonly prompt_cache_key?: string }).prompt_cache_key)
    expect(keys).toEqual(wire.startsWith('openai') ? ['c1', 'mine', undefined] : [undefined, undefined, undefined])
    await provider.close()
  },
)
