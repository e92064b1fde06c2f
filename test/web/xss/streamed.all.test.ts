/** The same payloads as they arrive: three characters at a time, while someone looks. */
import { describe, expect, test } from 'vitest'
import { ask } from '../inspector.fixture.js'
import { blind } from '../visit.js'
import { sweep, until } from './guard.js'
import { batches, growing, onScreens, type Screen, told } from './live.js'

const minutes = 60_000

describe.skipIf(blind !== null)('what is being written', () => {
  test(
    'is words at every step: questions, files, answers, reasoning, calls, results and authors [A-08]',
    async () => {
      let drawn = 0
      await onScreens(async (screen, own) => {
        const { page, watched, client } = screen
        for (const batch of batches(own)) {
          const id = await look(screen)
          for (const payload of batch) {
            const parts = [
              { type: 'text', text: payload },
              { type: 'file', name: payload, mediaType: 'text/plain', source: { kind: 'text', text: payload } },
            ]
            const run = await ask(client, id, { role: 'user', parts }, { author: payload.slice(0, 200) })
            expect(run.state, payload).toBe('done')
            const answer = await client.messages.get(id, run.message_id as string)
            const call = 'parts' in answer ? answer.parts.find(({ type }) => type === 'call') : undefined
            if (call?.type !== 'call') throw new Error('the model called no tool')
            await client.messages.append(id, {
              message: { role: 'tool', tool_call_id: call.id, content: payload },
            })
            // someone who looks at the end
            const end = "Object.assign(document.querySelector('.log'), { scrollTop: 1e9 })"
            const row = `document.getElementById('m-${answer.id}')`
            await until(
              page,
              `${end} && ${row}?.querySelector('.tool')?.textContent.endsWith(${JSON.stringify(payload)})`,
            )
          }
        }
        expect(watched.seen()).toEqual([])
        drawn += await page.evaluate<number>('guarded.drawn')
      })
      // many states of each were there to be seen
      expect(drawn).toBeGreaterThan(5 * told.length)
    },
    20 * minutes,
  )

  test(
    'is a name at every step: of the conversation and of its branches, while someone looks [A-08]',
    async () => {
      await onScreens(async (screen, own) => {
        const { page, watched, client } = screen
        for (const batch of batches(own)) {
          const id = await look(screen)
          const { head_id } = await client.messages.append(id, { message: 'Root' })
          let branch = (await client.branches.fork(id, { at: head_id, branch: 'other' })).name
          await page.getByRole('button', { name: 'Branch main: show all branches' }).click()
          for (const payload of batch)
            for (const grown of growing(payload).filter(
              (_, n, all) => n === all.length - 1 || n === Math.floor(all.length / 2),
            )) {
              const [, named] = await Promise.all([
                client.conversations.update(id, { title: grown }),
                client.branches.rename(id, branch, `${grown}.`),
              ])
              branch = named.name
              if (grown !== payload) continue
              await until(page, `document.querySelector('h1.title').textContent === ${JSON.stringify(payload)}`)
              const names = "[...document.querySelectorAll('dialog.branches strong')].map((one) => one.textContent)"
              await until(page, `${names}.includes(${JSON.stringify(branch)})`)
            }
          await page.keyboard.press('Escape')
        }
        expect(watched.seen()).toEqual([])
      })
    },
    20 * minutes,
  )

  test(
    'is found while it is typed: in titles and in messages [A-08]',
    async () => {
      let found = 0
      await onScreens(async (screen, own) => {
        const { page, watched, client } = screen
        await look(screen)
        for (const title of own) {
          const { id } = await client.conversations.create({ title })
          await client.messages.append(id, { message: `Here it is: ${title}` })
        }
        await page.keyboard.press('Control+k')
        const field = page.getByRole('combobox', { name: 'Search messages, titles and commands' })
        for (const payload of own) {
          await field.fill('')
          let typed = ''
          for (const grown of growing(payload)) {
            await page.keyboard.insertText(grown.slice(typed.length))
            typed = grown
          }
          await until(page, "document.querySelector('.hits').dataset.busy === 'false'")
          found += (await page.locator('.hit .snippet').count()) > 0 ? 1 : 0
        }
        expect(watched.seen()).toEqual([])
      })
      // some are nothing but signs that no search looks for
      expect(found).toBeGreaterThan(0.9 * told.length)
    },
    20 * minutes,
  )

  test(
    'is shared as it goes on [A-08]',
    async () => {
      await onScreens(async ({ page, watched, client, host }, own) => {
        for (const batch of batches(own)) {
          const { id } = await client.conversations.create({ title: 'Shared' })
          await client.messages.append(id, { message: 'The beginning' })
          const { url } = await client.shares.create(id, { mode: 'live', authors: true })
          for (const [n, payload] of batch.entries()) {
            await client.conversations.update(id, { title: payload })
            const role = n % 2 === 0 ? 'assistant' : 'user'
            await client.messages.append(id, { message: { role, content: payload, name: payload.slice(0, 60) } })
            await page.goto(host.url + url)
            expect(await page.locator('article').count()).toBe(n + 2)
            expect(await sweep(page), payload).toEqual([])
          }
        }
        expect(watched.seen()).toEqual([])
      })
    },
    20 * minutes,
  )
})

/** A new conversation, open on the screen. */
async function look({ page, client, host }: Screen): Promise<string> {
  const { id } = await client.conversations.create({ title: 'Stream' })
  await page.goto(`${host.url}/#/c/${id}`)
  await page.getByRole('textbox', { name: 'Ask anything' }).waitFor()
  await page.locator('.log-top').waitFor({ state: 'attached' })
  return id
}
