/** Windows that heed what people marked, a summary, and what was recalled. */
import { expect, test } from 'vitest'
import type { History } from '../../src/engine/index.js'
import type { Asked, Recaller } from '../../src/recall/contract.js'
import { assistant, calling, found, onEveryStore, user, windowOf } from './stage.js'

const words = 'about the tea and the cups on the shelf '.repeat(6)

/** So many turns; the messages have the ids u0, a0, u1, a1. */
async function talk(history: History, turns: number, from = 0): Promise<void> {
  const messages = Array.from({ length: turns }, (_, i) => i + from).flatMap((n) => [
    user(`question ${n} ${words}`, { id: `u${n}` }),
    assistant(`answer ${n} ${words}`, { id: `a${n}` }),
  ])
  await history.append(messages)
}

const small = { budget: 1_500, target: 'openai-chat', current: 'And now?' } as const
const idsOf = ({ items }: { readonly items: readonly { readonly id?: string }[] }) =>
  items.flatMap(({ id }) => id ?? [])

onEveryStore('a window heeds', ({ fresh }) => {
  test('what was pinned, with its results and gaps on both sides, however far back it is', async () => {
    const history = await fresh()
    await talk(history, 3)
    await history.append([{ ...calling('c1', 'c2'), id: 'call' }, found('c1', 'green'), found('c2', 'black')])
    await talk(history, 40, 3)
    const before = await windowOf(history, small)
    expect(idsOf(before)).not.toContain('call')
    expect(await history.mark('call', { pinned: true })).toEqual({ entry: 'call', pinned: true, excluded: false })
    expect(await history.marks()).toEqual([{ entry: 'call', pinned: true, excluded: false }])
    const made = await windowOf(history, small)
    expect(made.items.slice(0, 4).map(({ id, mark }) => id ?? mark)).toEqual(['u0', 'gap', 'call', 'gap'])
    expect(JSON.stringify(made.rendered)).toContain('black')
    expect(made.receipt.lines.find(({ rule }) => rule === 'mark.pinned')).toMatchObject({
      from: 6,
      to: 8,
      fate: 'kept',
    })
    // the message, its two results and what follows them
    expect(made.hydrated.loaded).toBeLessThanOrEqual(before.hydrated.loaded + 4)
    await history.mark('call', { pinned: false })
    expect(idsOf(await windowOf(history, small))).not.toContain('call')
  })

  test('only what was pinned on its own path, whatever was said on other branches', async () => {
    const history = await fresh()
    await talk(history, 4)
    const { branch } = await history.edit('u2', user('another question 2', { id: 'other' }))
    await talk(history, 40, 4)
    for (const entry of ['a1', 'other', 'u3']) await history.mark(entry, { pinned: true })
    const main = await windowOf(history, small)
    expect(idsOf(main)).toEqual(expect.arrayContaining(['a1', 'u3']))
    expect(idsOf(main)).not.toContain('other')
    expect(main.warnings).toEqual([])
    expect(idsOf(await windowOf(history, small))).toEqual(idsOf(main))
    const side = await windowOf(history, { ...small, branch })
    expect(idsOf(side)).toContain('other')
    expect(idsOf(side)).not.toContain('u3')
  })

  test('what was excluded, but for the message to answer', async () => {
    const history = await fresh()
    await talk(history, 3)
    await history.append(user('the last one', { id: 'last' }))
    await history.mark('a1', { excluded: true })
    await history.mark('last', { excluded: true })
    const made = await windowOf(history, { target: 'anthropic' })
    expect(idsOf(made)).toEqual(['u0', 'a0', 'u1', 'u2', 'a2', 'last'])
    expect(made.items.some(({ mark }) => mark === 'gap')).toBe(false)
    expect(made.receipt.lines.find(({ from }) => from === 3)).toMatchObject({
      fate: 'dropped',
      stage: 'intake',
      rule: 'mark.excluded',
    })
    expect(made.warnings).toMatchObject([{ code: 'mark.excluded', value: 'last' }])
    const whatIf = await windowOf(history, { target: 'anthropic', marks: { excluded: ['u0'] } })
    expect(idsOf(whatIf)).toEqual(['u1', 'a1', 'u2', 'a2', 'last'])
  })

  test('a summary once not everything fits, and goes on as before when it is taken back', async () => {
    const history = await fresh({ recaller: null })
    await talk(history, 30)
    const before = await windowOf(history, small)
    const { head } = await history.summarise('They chose green tea.', 'a27')
    const made = await windowOf(history, small)
    expect(made.items.map(({ id, mark }) => id ?? mark)).toEqual([
      'u0',
      'summary',
      'u28',
      'a28',
      'u29',
      'a29',
      undefined,
    ])
    expect(made.items[1]?.text).toBe('[Summary of earlier messages]\nThey chose green tea.')
    expect(made.receipt.summary).toMatchObject({ id: head, until: 'a27', messages: 56 })
    expect(made.receipt.totals).toMatchObject({ summarised: 55, kept: 5 })
    expect(made.receipt.lines[1]).toMatchObject({ from: 1, to: 55, fate: 'summarised', rule: 'fit.summary' })
    expect((await windowOf(history, { ...small, budget: 100_000 })).receipt.summary).toBeUndefined()
    await history.mark(head, { excluded: true })
    expect((await windowOf(history, small)).rendered).toEqual(before.rendered)
  })

  test('a summary in a prefix that stays while the conversation goes on', async () => {
    const history = await fresh({ recaller: null })
    await talk(history, 30)
    await history.summarise('They chose green tea.', 'a27')
    const first = await windowOf(history, small)
    await talk(history, 1, 30)
    const second = await windowOf(history, small)
    const stable = JSON.stringify((first.rendered as { messages: unknown[] }).messages.slice(0, -1)).slice(0, -1)
    expect(JSON.stringify((second.rendered as { messages: unknown[] }).messages).startsWith(stable)).toBe(true)
  })

  test('the next older summary when the newest is excluded, and none whose words were removed', async () => {
    const history = await fresh()
    await talk(history, 20)
    await history.summarise('The first half.', 'a9')
    await talk(history, 20, 20)
    const { head } = await history.summarise('All of it.', 'a37')
    const summary = async () => (await windowOf(history, small)).items.find(({ mark }) => mark === 'summary')?.text
    expect(await summary()).toContain('All of it.')
    await history.mark(head, { excluded: true })
    expect(await summary()).toContain('The first half.')
    await history.mark(head, { excluded: false })
    await history.redact('u12')
    expect(await summary()).toContain('The first half.')
    await history.redact('a3')
    expect(await summary()).toBeUndefined()
    expect((await history.verify()).ok).toBe(true)
  })

  test('what is recalled, asked for only when something is missing, quoted just before the message to answer', async () => {
    const asked: Asked[] = []
    const recaller: Recaller = async (request) => {
      asked.push(request)
      const place = (n: number) => ({
        id: `u${n}`,
        role: 'user' as const,
        text: `question ${n} ${words}`,
        place: n * 2,
      })
      return {
        items: [
          { ...place(7), at: '2024-05-03T10:00:00Z', score: 0.9, reason: 'words' },
          { ...place(3), score: 0.8, reason: 'words' },
          { ...place(29), score: 0.7, reason: 'words' },
        ],
        share: 'past',
      }
    }
    const history = await fresh({ recaller })
    await talk(history, 2)
    await windowOf(history, small)
    expect(asked).toEqual([])
    await talk(history, 28, 2)
    const made = await windowOf(history, small)
    expect(asked).toMatchObject([{ current: 'And now?', conversation: 'c', branch: 'main', from: 'conversation' }])
    expect(asked[0]?.recent.at(-1)?.text).toMatch(/^answer 29/)
    const quoted = made.items.at(-2)
    expect(quoted).toMatchObject({ role: 'user', mark: 'recall', index: null })
    expect(quoted?.text.split('\n').map((line) => line.slice(0, 30))).toEqual([
      '[Earlier messages that may mat',
      '7 user: question 3 about the t',
      '(2024-05-03)',
      '15 user: question 7 about the ',
    ])
    const inWindow = asked[0]?.past('past').inWindow as number
    expect(made.items.find(({ index }) => index === inWindow)?.id).toBe(`u${inWindow / 2}`)
    expect(made.receipt.recall?.items).toMatchObject([
      { id: 'u3', index: 6, score: 0.8 },
      { id: 'u7', index: 14, score: 0.9, reason: 'words' },
    ])
    expect(made.receipt.lines.filter(({ fate }) => fate === 'recalled').map(({ from }) => from)).toEqual([6, 14])
    expect(made.receipt.budget.used).toBeLessThanOrEqual(small.budget)
  })

  test('the same prefix whatever is recalled, and no failure of a recaller', async () => {
    let broken = false
    const recaller: Recaller = async () => {
      if (broken) throw new Error('the index is away')
      return { items: [{ id: 'u3', role: 'user', text: `question 3 ${words}`, place: 6, score: 1, reason: 'words' }] }
    }
    const history = await fresh({ recaller })
    await talk(history, 30)
    const one = await windowOf(history, small)
    broken = true
    const other = await windowOf(history, small)
    expect(other.warnings).toMatchObject([{ code: 'recall.failed' }])
    expect(one.items.slice(0, -2)).toEqual(other.items.slice(0, -1))
  })
})
