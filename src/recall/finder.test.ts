import { describe, expect, test } from 'vitest'
import type { NewEntry } from '../store/contract/entry.js'
import type { SearchQuery } from '../store/contract/search.js'
import type { Store } from '../store/contract/store.js'
import { memoryStore } from '../store/memory/store.js'
import type { Embedder } from './embedder.js'
import { createFinder, type Finder, type FindMode } from './finder.js'

const at = '2026-01-01T00:00:00.000Z'
const workspace = 'w'

const said = (id: string, text: string): NewEntry => ({
  id,
  body: { kind: 'message', role: 'user', parts: [{ type: 'text', text }], status: 'complete' },
  text,
  tokens: 9,
  at,
})

const talk = {
  db: 'We decided to use PostgreSQL for the database.',
  dog: 'My dog Rex is a beagle and loves long walks.',
  flight: 'The flight to Lisbon leaves at nine in the morning.',
  food: 'I am allergic to peanuts and shellfish.',
  ok: 'ok',
  bread: 'How do I bake sourdough bread without a mixer?',
  violin: 'She plays the violin in an orchestra.',
  car: 'The car needs new brakes before winter.',
}

async function stored(texts: Readonly<Record<string, string>> = talk): Promise<Store> {
  const store = memoryStore()
  await store.create(workspace, { id: 'c', at })
  await store.append(
    workspace,
    'c',
    Object.entries(texts).map(([id, text]) => said(id, text)),
    { branch: 'main', at },
  )
  return store
}

const idsOf = async (finder: Finder, store: Store, text: string, mode: FindMode, more: Partial<SearchQuery> = {}) =>
  (await finder.find(store, workspace, { text, mode, limit: 10, ...more })).items.map(({ entry }) => entry)

/** An embedder that is down, or slow, or another model, as it is told. */
function scripted(model: string): Embedder & { down: boolean; texts: string[] } {
  return {
    model,
    dimensions: 2,
    down: false,
    texts: [],
    async embed(texts) {
      if (this.down) throw new Error(`${model} cannot be reached`)
      this.texts.push(...texts)
      return texts.map((text) => Float32Array.of(text.length, 1))
    },
  }
}

describe('a finder', () => {
  test.each([
    ['airplane departure', 'flight'],
    ['which pet', 'dog'],
    ['musical instrument', 'violin'],
    ['vehicle repair', 'car'],
    ['recipe for a loaf', 'bread'],
    ['data storage', 'db'],
  ])('finds by meaning what no word leads to: %s', async (question, id) => {
    const [finder, store] = [createFinder(), await stored()]
    expect(await idsOf(finder, store, question, 'keyword')).toEqual([])
    expect((await idsOf(finder, store, question, 'semantic'))[0]).toBe(id)
    expect((await idsOf(finder, store, question, 'hybrid'))[0]).toBe(id)
  })

  test('finds nothing by meaning in what says nothing', async () => {
    const [finder, store] = [createFinder(), await stored()]
    for (const question of ['ok', 'hello', 'what do I have']) {
      expect(await idsOf(finder, store, question, 'semantic')).not.toContain('ok')
    }
    expect((await idsOf(finder, store, 'ok', 'hybrid'))[0]).toBe('ok')
  })

  test('sees every message before it, in every mode', async () => {
    const [finder, store] = [createFinder(), await stored()]
    expect(await idsOf(finder, store, 'cat', 'semantic')).not.toContain('cat')
    const searches = Array.from({ length: 5 }, async (_, n) => {
      await store.append(workspace, 'c', [said(`cat${n}`, `Our cat number ${n} purrs.`)], { branch: 'main', at })
      expect(await idsOf(finder, store, 'kitten', 'semantic')).toContain(`cat${n}`)
    })
    await Promise.all(searches)
    await store.redact(workspace, 'c', 'cat3')
    expect(await idsOf(finder, store, 'kitten', 'semantic')).not.toContain('cat3')
  })

  test('embeds each message once for each model, and never mixes two', async () => {
    const store = await stored({ a: 'alpha beta', b: 'gamma delta' })
    const [one, other] = [scripted('one'), scripted('other')]
    const [first, second] = [createFinder({ embedder: one }), createFinder({ embedder: other })]
    for (let i = 0; i < 3; i++) expect(await idsOf(first, store, 'alpha', 'semantic')).toHaveLength(2)
    expect(one.texts).toEqual(['alpha', 'alpha beta', 'gamma delta', 'alpha', 'alpha'])
    expect(await idsOf(second, store, 'alpha', 'semantic')).toHaveLength(2)
    expect(other.texts).toEqual(['alpha', 'alpha beta', 'gamma delta'])
    expect(await store.unembedded(workspace, 'one/2', 9)).toEqual([])
    expect(await store.unembedded(workspace, 'one/3', 9)).toHaveLength(2)
  })

  test('looks for words alone, and says so, when the embedder is not there', async () => {
    const store = await stored({ a: 'alpha beta', b: 'alpha gamma', c: 'alpha delta' })
    const embedder = scripted('far')
    const finder = createFinder({ embedder })
    embedder.down = true
    const first = await finder.find(store, workspace, { text: 'alpha', mode: 'hybrid', limit: 2 })
    expect(first.items.map(({ entry }) => entry)).toEqual(['c', 'b'])
    expect(first.warnings).toMatchObject([{ code: 'search.lexical', message: /far cannot be reached/ }].map(matching))
    embedder.down = false
    const next = { text: 'alpha', mode: 'hybrid', limit: 2, cursor: first.cursor as string } as const
    expect((await finder.find(store, workspace, next)).items.map(({ entry }) => entry)).toEqual(['a'])
    const { cursor } = await finder.find(store, workspace, { text: 'alpha', mode: 'hybrid', limit: 2 })
    embedder.down = true
    const page = { text: 'alpha', mode: 'hybrid', limit: 2, cursor: cursor as string } as const
    await expect(finder.find(store, workspace, page)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('answers with what it has, and says so, when new messages cannot be embedded', async () => {
    const store = await stored({ a: 'alpha beta' })
    const embedder = scripted('far')
    const finder = createFinder({ embedder })
    await finder.find(store, workspace, { text: 'alpha', mode: 'semantic', limit: 9 })
    await store.append(workspace, 'c', [said('b', 'alpha gamma')], { branch: 'main', at })
    const shy: Embedder = { ...embedder, embed: (texts) => (texts.includes('alpha gamma') ? broken() : one(texts)) }
    const { items, warnings } = await createFinder({ embedder: shy }).find(store, workspace, {
      text: 'alpha',
      mode: 'semantic',
      limit: 9,
    })
    expect(items.map(({ entry }) => entry)).toEqual(['a'])
    expect(warnings).toMatchObject([{ code: 'search.behind' }])
  })

  test('takes in so many at most before it answers, and goes on with the next search', async () => {
    const texts = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`m${n}`, `message number ${n}`]))
    const store = await stored(texts)
    const finder = createFinder({ embedder: scripted('slow'), most: 300 })
    const ask = () => finder.find(store, workspace, { text: 'message', mode: 'semantic', limit: 1 })
    expect((await ask()).warnings).toMatchObject([{ code: 'search.partial' }])
    expect((await ask()).warnings).toEqual([])
    expect(await store.unembedded(workspace, 'slow/2', 9)).toEqual([])
  })

  test('without an embedder knows words alone', async () => {
    const [finder, store] = [createFinder({ embedder: null }), await stored()]
    const { items, warnings } = await finder.find(store, workspace, { text: 'dog', mode: 'semantic', limit: 9 })
    expect(items.map(({ entry, why }) => [entry, why])).toEqual([['dog', undefined]])
    expect(warnings).toMatchObject([{ code: 'search.lexical' }])
    await finder.embed(store, workspace)
  })

  test('refuses a branch that is not there', async () => {
    const [finder, store] = [createFinder(), await stored()]
    const query = { text: 'dog', limit: 9, conversation: 'c', branch: 'nowhere' }
    await expect(finder.find(store, workspace, query)).rejects.toMatchObject({ code: 'not_found' })
    expect(await idsOf(finder, store, 'pet', 'semantic', { conversation: 'c', branch: 'main' })).toContain('dog')
  })
})

const matching = ({ code, message }: { code: string; message: RegExp }) => ({
  code,
  message: expect.stringMatching(message),
})
const broken = (): Promise<never> => Promise.reject(new Error('too much'))
const one = async (texts: readonly string[]) => texts.map((text) => Float32Array.of(text.length, 1))
