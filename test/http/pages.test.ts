/** What the pages around a conversation ask the service for. */
import { afterEach, describe, expect, test } from 'vitest'
import { type Host, type HostOptions, startService } from './host.js'
import { modelsOf, saying } from './live-models.js'

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0).reverse()) await host.stop()
})

const open = async (options: HostOptions = {}): Promise<Host> => {
  const host = await startService({ store: 'sqlite', models: modelsOf(saying('It is blue.')), ...options })
  hosts.push(host)
  return host
}

const at = '/api/v1/conversations/c'

describe('the branches that lead to a message', () => {
  test('are found without making one, main first', async () => {
    const host = await open()
    await host.call('POST', '/api/v1/conversations', { body: { id: 'c' } })
    const messages = ['one', 'two', 'three'].map((id) => ({ role: 'user', id, content: id }))
    await host.call('POST', `${at}/messages`, { body: { messages } })
    await host.call('POST', `${at}/fork`, { body: { at: 'one', branch: 'side' } })
    await host.call('POST', `${at}/messages`, {
      body: { branch: 'side', message: { role: 'user', id: 'four', content: '4' } },
    })
    await host.call('POST', `${at}/fork`, { body: { at: null, branch: 'empty' } })
    const to = async (message: string) =>
      (await host.call('GET', `${at}/messages/${message}/branches`)).body.items.map(
        ({ name }: { name: string }) => name,
      )
    expect(await to('one')).toEqual(['main', 'side'])
    expect(await to('two')).toEqual(['main'])
    expect(await to('three')).toEqual(['main'])
    expect(await to('four')).toEqual(['side'])
    expect((await host.call('GET', `${at}/messages/none/branches`)).status).toBe(404)
    await host.call('DELETE', `${at}/branches/side`)
    expect(await to('four')).toEqual([])
    expect((await host.call('GET', `${at}/branches`)).body.items).toHaveLength(2)
  })
})

describe('the labels of a workspace', () => {
  test('are its folders and tags with how many conversations have them', async () => {
    const host = await open()
    const make = (id: string, more: object) => host.call('POST', '/api/v1/conversations', { body: { id, ...more } })
    await make('a', { folder: 'Work', tags: ['red', 'blue'] })
    await make('b', { folder: 'Work', tags: ['blue'] })
    await make('c', { folder: 'Home' })
    await host.call('PATCH', at, { body: { archived: true } })
    expect((await host.call('GET', '/api/v1/labels?archived=false')).body).toEqual({
      folders: [{ name: 'Work', conversations: 2 }],
      tags: [
        { name: 'blue', conversations: 2 },
        { name: 'red', conversations: 1 },
      ],
      whole: true,
    })
    expect((await host.call('GET', '/api/v1/labels')).body.folders).toEqual([
      { name: 'Home', conversations: 1 },
      { name: 'Work', conversations: 2 },
    ])
  })
})

describe('the usage of a workspace', () => {
  test('says by fate and rule what was not sent, and names conversations while they are there', async () => {
    const host = await open()
    await host.call('POST', '/api/v1/conversations', { body: { id: 'c', title: 'Colours' } })
    for (let turn = 0; turn < 6; turn++)
      await host.call('POST', '/chat', {
        body: { session_id: 'c', message: `What colour is it? ${'word '.repeat(60)}` },
      })
    const tight = { message: 'And now?', budget: 120, policy: 'balanced' }
    const { body: started } = await host.call('POST', `${at}/runs`, { body: tight })
    await expect.poll(async () => (await host.call('GET', `${at}/runs/${started.run.id}`)).body.state).toBe('done')
    const { body } = await host.call('GET', '/api/v1/usage')
    expect(body.totals.fates.dropped).toBe(body.totals.messages_dropped)
    expect(body.totals.messages_dropped).toBeGreaterThan(0)
    expect(body.rules.find(({ fate }: { fate: string }) => fate === 'dropped')).toMatchObject({
      rule: expect.any(String),
    })
    expect(body.conversations[0]).toMatchObject({ conversation_id: 'c', title: 'Colours' })
    await host.call('DELETE', at)
    expect((await host.call('GET', '/api/v1/usage')).body.conversations[0].title).toBeNull()
  })
})
