/** What goes out comes back: ours to the byte, others with all that both have. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/runs.js'
import { openHistory } from '../engine/history.js'
import type { Entry } from '../store/contract/entry.js'
import type { Store } from '../store/contract/store.js'
import { memoryStore } from '../store/memory/store.js'
import { agents } from './agents.fixture.js'
import { chats } from './chats.fixture.js'
import { type Desk, transferDesk } from './import.fixture.js'
import { others } from './others.fixture.js'
import { type ExportName, exportForms } from './out/formats.js'
import { inArchive } from './out/json.js'

async function all(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

async function written(store: Store, id: string, form: ExportName): Promise<string> {
  const conversation = await store.get('default', id)
  if (!conversation) throw new Error(`there is no ${id}`)
  const branches = await store.branches('default', id)
  const head = branches.find(({ name }) => name === 'main')?.head ?? null
  return all(exportForms[form].write({ store, workspace: 'default', conversation, head }))
}

/** What someone may say and do, with a word of their own in everything. */
const said = fc.oneof(
  fc.record({
    role: fc.constant('user'),
    content: fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() !== '' && !text.includes('\0')),
  }),
  fc.record({
    role: fc.constant('assistant'),
    content: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
  }),
  fc.string({ minLength: 1, maxLength: 8 }).map((out) => ({
    role: 'assistant',
    parts: [
      {
        type: 'call',
        id: `k-${out}`,
        name: 'look',
        input: { at: out },
        outcome: { state: 'ok', output: [{ type: 'text', text: out }] },
      },
    ],
  })),
)
const talk = fc.record({
  turns: fc.array(said, { minLength: 1, maxLength: 12 }),
  fork: fc.nat(20),
  title: fc.string({ maxLength: 30 }).filter((title) => !title.includes('\0')),
})

async function talked(
  store: Store,
  { turns, fork, title }: { turns: readonly object[]; fork: number; title: string },
): Promise<void> {
  const history = await openHistory({ store, conversation: 'talk', title })
  for (const turn of turns) await history.append(turn)
  const path = await history.path()
  const at = path[fork % path.length]
  if (at) {
    await history.fork(at.id, 'other')
    await history.append('Another way', { branch: 'other' })
  }
}

describe('our own form', () => {
  test('comes back to the byte, whatever was said', async () => {
    await fc.assert(
      fc.asyncProperty(talk, async (given) => {
        const from = memoryStore()
        await talked(from, given)
        const json = await written(from, 'talk', 'json')
        const archive = await all(inArchive(from, 'default'))
        for (const text of [json, archive]) {
          const desk = await transferDesk()
          const path = await desk.file('own', text)
          expect((await desk.take(path)).warnings).toEqual([])
          expect(await written(desk.store, 'talk', 'json')).toBe(json)
          expect(await all(inArchive(desk.store, 'default'))).toBe(archive)
          expect((await desk.take(path)).messages.added).toBe(0)
        }
      }),
      { numRuns: runs },
    )
  })

  test('an archive that is cut gives the conversations that are whole, and says so', async () => {
    const from = await transferDesk()
    for (const { file } of chats.slice(0, 3)) await from.take(await from.file('source', file))
    const archive = await all(inArchive(from.store, 'default'))
    const whole = (await from.conversations()).length
    for (const part of [0.2, 0.5, 0.9, 0.99]) {
      const desk = await transferDesk()
      const report = await desk.take(await desk.file('archive', archive.slice(0, Math.floor(archive.length * part))))
      expect(report.skipped.map(({ reason }) => reason)).toContain('the archive ends before its last line')
      const here = await desk.conversations()
      expect(here.length).toBeLessThanOrEqual(whole)
      for (const { id } of here)
        expect(await written(desk.store, id, 'json')).toBe(await written(from.store, id, 'json'))
    }
  })
})

/** Roles and words along every branch, which all forms have; calls by name and input, results by their words. */
async function essence(desk: Desk, id: string): Promise<unknown> {
  const branches = await desk.store.branches('default', id)
  const paths = await Promise.all(branches.map(({ head }) => (head ? desk.store.path('default', id, head) : [])))
  return paths
    .map((path) =>
      path.flatMap(({ body, redacted }) => {
        if (redacted || body.kind === 'note' || body.kind === 'summary') return []
        if (body.kind === 'result')
          return [`result ${JSON.stringify(body.output.map((part) => (part.type === 'text' ? part.text : part.type)))}`]
        return body.parts.flatMap((part) => {
          if (part.type === 'text') return [`${body.role} ${part.text}`]
          return part.type === 'call' ? [`call ${part.name} ${JSON.stringify(part.input)}`] : []
        })
      }),
    )
    .map((path) => path.join('\n'))
    .sort()
}

describe('the form of ChatGPT', () => {
  test('comes back with every branch, word, call and result', async () => {
    await fc.assert(
      fc.asyncProperty(talk, async (given) => {
        const from = await transferDesk()
        await talked(from.store, given)
        const desk = await transferDesk()
        await desk.take(await desk.file('chatgpt.json', await written(from.store, 'talk', 'chatgpt')))
        expect(await essence(desk, 'chatgpt-talk')).toEqual(await essence(from, 'talk'))
      }),
      { numRuns: runs },
    )
  })
})

/** One branch: what a provider takes may be joined with its neighbour, but every word, call and result is there, in its order. */
describe.each(['openai', 'anthropic', 'sharegpt'] as const)('the form of %s', (form) => {
  test('comes back with every word, call and result of its branch', async () => {
    await fc.assert(
      fc.asyncProperty(talk, async ({ turns, title }) => {
        const from = await transferDesk()
        const history = await openHistory({ store: from.store, conversation: 'talk', title })
        // Anthropic has no conversation that the assistant begins
        for (const turn of [{ role: 'user', content: 'Begin' }, ...turns]) await history.append(turn)
        const desk = await transferDesk()
        await desk.take(await desk.file('out.json', await written(from.store, 'talk', form)))
        const [back] = await desk.conversations()
        const lost = wordsOf(await from.entries('talk')).filter(
          isMissingIn(wordsOf(await desk.entries(back?.id ?? ''))),
        )
        expect(lost).toEqual([])
      }),
      { numRuns: runs },
    )
  })
})

function wordsOf(entries: readonly Entry[]): string[] {
  return entries.flatMap(({ body }) => {
    const parts = body.kind === 'message' ? body.parts : body.kind === 'result' ? body.output : []
    return parts.flatMap((part) => {
      // nor a text of nothing but space
      if (part.type === 'text') return part.text.trim() === '' ? [] : [part.text]
      return part.type === 'call' ? [`${part.name} ${JSON.stringify(part.input)}`] : []
    })
  })
}

/** Each in what comes after the one before it. */
function isMissingIn(there: readonly string[]): (word: string) => boolean {
  const text = there.join('\n')
  let at = 0
  return (word) => {
    const found = text.indexOf(word, at)
    if (found !== -1) at = found + word.length
    return found === -1
  }
}

test('the check sees what is lost, and what changed places', () => {
  expect(['a', 'b'].filter(isMissingIn(['a', 'b']))).toEqual([])
  expect(['a', 'b'].filter(isMissingIn(['b', 'a']))).toEqual(['b'])
  expect(['a', 'b'].filter(isMissingIn(['a']))).toEqual(['b'])
})

describe.each([...chats, ...agents, ...others])('$what', ({ file }) => {
  test('goes out in every form, and what other tools read has its words', async () => {
    const desk = await transferDesk()
    await desk.take(await desk.file('source', file))
    for (const { id } of await desk.conversations()) {
      const path = await (await openHistory({ store: desk.store, conversation: id })).path()
      const spoken = path.flatMap(({ body, text }) =>
        body.kind === 'message' && body.parts.some(({ type }) => type === 'text') ? [text] : [],
      )
      for (const form of ['markdown', 'openai', 'anthropic', 'sharegpt', 'chatgpt', 'html'] as const) {
        const text = await written(desk.store, id, form)
        const first = spoken[0]?.split('\n')[0] ?? ''
        if (form !== 'html') expect(text).toContain(form === 'markdown' ? first : JSON.stringify(first).slice(1, -1))
        if (form === 'html') expect(text).not.toMatch(/<script|src="http|href="http/)
      }
      const back = await transferDesk()
      const json = await written(desk.store, id, 'json')
      await back.take(await back.file('own.json', json))
      expect(await written(back.store, id, 'json')).toBe(json)
    }
  })
})

test('a page shows what was said and nothing that runs', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'c', title: '<img src=x onerror=alert(1)>' })
  await history.append('<script>alert(1)</script> & "quotes"')
  const html = await written(store, 'c', 'html')
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;')
  expect(html).not.toMatch(/<script|<img/)
})
