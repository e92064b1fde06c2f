/** Each format in its usual shape and in hard ones: what is counted, and what the log says then. */
import { describe, expect, test } from 'vitest'
import { agents } from './agents.fixture.js'
import { chats } from './chats.fixture.js'
import { type Desk, transferDesk } from './import.fixture.js'
import { others } from './others.fixture.js'

describe.each([...chats, ...agents, ...others])(
  '$what',
  ({ file, format, says, branches = 1, skipped = [], head, title }) => {
    test('is read whole, counted right and known again', async () => {
      const desk = await transferDesk()
      const path = await desk.file('source', file)
      const report = await desk.take(path)
      expect(report.formats).toHaveProperty([format])
      const [first] = (await desk.conversations()).filter(({ tags }) => !tags.includes('subagent'))
      const id = first?.id ?? ''
      expect(await said(desk, id)).toEqual(says)
      expect(report.messages.added).toBeGreaterThanOrEqual(says.length)
      expect(report.branches).toBe(branches)
      expect(report.skipped.map(({ reason }) => reason).sort()).toEqual([...skipped].sort())
      const stored = await desk.store.branches('default', id)
      const at = stored.find(({ name }) => name === 'main')?.head
      if (head !== undefined) expect((await desk.entries(id)).find((entry) => entry.id === at)?.text).toBe(head)
      if (title !== undefined) expect(first?.title).toBe(title)
      expect(await desk.store.verify('default', id)).toMatchObject({ ok: true })
      const before = await desk.all()
      expect((await desk.take(path)).messages.added).toBe(0)
      expect(await desk.all()).toEqual(before)
    })
  },
)

/** One line for each entry. */
async function said(desk: Desk, id: string): Promise<string[]> {
  return (await desk.entries(id)).map(({ body, text: words }) => {
    if (body.kind === 'note') return 'note'
    if (body.kind !== 'message') return `${body.kind} ${words}`
    const spoken = body.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    if (spoken !== '') return `${body.role} ${spoken}`
    const calls = body.parts.flatMap((part) => (part.type === 'call' ? [`call ${part.name}`] : []))
    if (calls.length > 0) return calls.join(', ')
    return body.parts.every(({ type }) => type === 'think') ? 'think' : `${body.role} ${body.parts[0]?.type}`
  })
}
