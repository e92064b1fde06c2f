import { expect, test } from 'vitest'
import { check } from '../../src/core/rules/check.js'
import { assistant, calling, found, onEveryStore, textsOf, user, windowOf } from './stage.js'

const text = (words: string) => ({ type: 'text', text: words }) as const
const call = (id: string) => ({ type: 'call', id, name: 'look', input: {}, outcome: { state: 'pending' } }) as const

onEveryStore('a turn', ({ fresh }) => {
  test('is two rows: n turns make exactly 2n [T-41]', async () => {
    const history = await fresh()
    for (let i = 0; i < 12; i++) {
      await history.append(user(`q${i}`, { id: `q${i}` }), { key: `turn-${i}` })
      await history.window({ current: user(`q${i}`, { id: `q${i}` }) })
      const draft = await history.draft()
      await draft.save([text('so f')])
      await draft.finish([text(`a${i}`)])
      await draft.finish([text(`a${i}`)])
      await history.append(user(`q${i}`, { id: `q${i}` }), { key: `turn-${i}` })
    }
    expect(await history.describe()).toMatchObject({ entries: 24 })
    expect((await history.path()).length).toBe(24)
  })

  test('that is cancelled at any point leaves a history that is legal for every provider [T-09] [L-5]', async () => {
    const steps = [
      (h: Awaited<ReturnType<typeof fresh>>) => h.append(calling('a', 'b')),
      (h: Awaited<ReturnType<typeof fresh>>) => h.append(found('a')),
      (h: Awaited<ReturnType<typeof fresh>>) => h.append(found('b')),
      async (h: Awaited<ReturnType<typeof fresh>>) => {
        const draft = await h.draft()
        await draft.save([text('half an ans')])
        await draft.abort()
      },
    ]
    for (let stop = 0; stop <= steps.length; stop++) {
      const history = await fresh()
      await history.append(user('look at both'))
      for (const step of steps.slice(0, stop)) await step(history)
      await history.append(user('never mind'))
      for (const target of ['openai-chat', 'openai-responses', 'anthropic', 'google'] as const) {
        const { rendered, items } = await windowOf(history, { target, policy: 'balanced' })
        expect(check(target, rendered), `${target} after ${stop}`).toEqual([])
        expect(items.map((item) => item.text)).toContain('look at both')
      }
      const open = (await history.path()).flatMap(({ body }) => (body.kind === 'result' ? [body.callId] : []))
      expect(open.toSorted()).toEqual(stop === 0 ? [] : ['a', 'b'])
    }
  })

  test('whose answer is there keeps it: a second result is refused, an unknown one too [T-14]', async () => {
    const history = await fresh()
    await history.append([user('look'), calling('a'), found('a')])
    await expect(history.append(found('a', 'other'))).rejects.toMatchObject({ code: 'already_answered' })
    await expect(history.append(found('z'))).rejects.toMatchObject({ code: 'unknown_call' })
    expect(await textsOf(history)).toEqual(['look', '[Used tool: look]\na', 'found a'])
  })

  test('closes calls of a crash before the next message, and before an answer that is streamed', async () => {
    const history = await fresh()
    await history.append([user('look'), calling('a', 'b'), found('b')])
    const draft = await history.draft()
    await draft.finish([text('as far as I see')])
    expect(await textsOf(history)).toEqual([
      'look',
      '[Used tool: look]\n[Used tool: look]\na\nb',
      'found b',
      'interrupted',
      'as far as I see',
    ])
    await history.append(calling('c'))
    await history.append(user('and?'))
    expect((await textsOf(history)).slice(-2)).toEqual(['interrupted', 'and?'])
  })
})

onEveryStore('a draft', ({ fresh, store }) => {
  test('becomes one answer, whoever asks and however often [T-44]', async () => {
    const history = await fresh()
    await history.append(user('one'))
    const draft = await history.draft()
    await draft.save([text('tw')])
    const done = await Promise.all([1, 2, 3].map(() => draft.finish([text('two')], { model: 'm' })))
    expect(done.map(({ head }) => head)).toEqual([draft.id, draft.id, draft.id])
    expect(done.filter(({ repeated }) => !repeated)).toHaveLength(1)
    expect(await textsOf(history)).toEqual(['one', 'two'])
  })

  test('that was stopped keeps what was said, and what ends late changes nothing [T-33] [L-5]', async () => {
    const history = await fresh()
    await history.append(user('one'))
    const draft = await history.draft()
    await draft.save([text('tw')])
    await draft.abort()
    await expect(draft.finish([text('two and more')])).rejects.toMatchObject({ code: 'id_conflict' })
    await expect(draft.save([text('two')])).rejects.toMatchObject({ code: 'not_found' })
    const path = await history.path()
    expect(path.map(({ text: words, body }) => [words, body.kind === 'message' && body.status])).toEqual([
      ['one', 'complete'],
      ['tw', 'aborted'],
    ])
  })

  test('stopped under a quick new message loses nothing, in whichever order they come [T-24]', async () => {
    for (const order of ['stop first', 'message first', 'at once']) {
      const history = await fresh()
      await history.append([user('one'), assistant('two'), user('three')])
      const draft = await history.draft()
      await draft.save([text('fo')])
      const send = () => history.append(user('no, five'))
      if (order === 'stop first') await draft.abort().then(send)
      if (order === 'message first') await send().then(() => draft.abort())
      if (order === 'at once') await Promise.all([draft.abort(), send()])
      const texts = await textsOf(history)
      expect(texts.slice(0, 3), order).toEqual(['one', 'two', 'three'])
      expect(texts.slice(3).toSorted(), order).toEqual(['fo', 'no, five'])
      const { items } = await windowOf(history)
      for (const said of ['one', 'two', 'three', 'fo', 'no, five'])
        expect(items.map((item) => item.text).join('|'), order).toContain(said)
    }
  })

  test('that a crash left is recovered once, by one of many, as an aborted answer', async () => {
    const history = await fresh()
    await history.append(user('one'))
    const lost = await history.draft({ leaseSeconds: 0 })
    await store().saveDraft(history.workspace, 'c', {
      id: lost.id,
      epoch: 1,
      text: 'tw',
      body: [text('tw'), call('k')],
      leaseSeconds: 0,
    })
    const live = await history.draft({ leaseSeconds: 60 })
    await new Promise((wake) => setTimeout(wake, 20))
    const recovered = await Promise.all([history.recover(), history.recover(), history.recover()])
    expect(recovered.flat()).toEqual([{ conversation: 'c', draft: lost.id, entry: lost.id }])
    await expect(lost.finish([text('two')])).rejects.toMatchObject({ code: 'id_conflict' })
    await live.finish([text('alive')])
    await history.append(user('on'))
    expect((await history.path()).map((entry) => entry.text)).toEqual([
      'one',
      'tw\n[Used tool: look]',
      'interrupted',
      'alive',
      'on',
    ])
    expect(await history.verify()).toMatchObject({ ok: true })
  })

  test('with calls that have their results becomes a message and its results', async () => {
    const history = await fresh()
    await history.append(user('one'))
    const draft = await history.draft()
    const answered = { ...call('k'), outcome: { state: 'ok', output: [text('found')] } } as const
    for (const repeated of [false, true]) expect(await draft.finish([answered])).toMatchObject({ repeated })
    expect((await history.path()).map(({ body }) => body.kind)).toEqual(['message', 'message', 'result'])
  })
})
