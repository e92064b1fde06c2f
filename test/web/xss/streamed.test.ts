/** The same payloads as they arrive: three characters at a time, while someone looks. */
import { describe, expect, test } from 'vitest'
import { ask } from '../inspector.fixture.js'
import { blind } from '../visit.js'
import { until } from './guard.js'
import { batches, onScreens, type Screen, told } from './live.js'

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
    10 * minutes,
  )
})

/** A new conversation, open on the screen. */
async function look({ page, client, host }: Screen): Promise<string> {
  const { id } = await client.conversations.create({ title: 'Stream' })
  await page.goto(`${host.url}/#/c/${id}`)
  await page.getByRole('textbox', { name: 'Say something' }).waitFor()
  await page.locator('.log-top').waitFor({ state: 'attached' })
  return id
}
