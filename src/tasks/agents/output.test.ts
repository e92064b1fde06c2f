import { describe, expect, test } from 'vitest'
import { deep } from '../../../test/runs.js'
import { refusedBy } from '../tasks.fixture.js'
import { openTasks } from '../tasks.js'
import { crew, eventually } from './agents.fixture.js'

describe('an agent that prints', () => {
  test('without end costs little memory; its beginning, its end and the count are kept', async () => {
    // a gigabyte takes seconds where others work, too
    const size = (deep ? 1_024 : 256) * 1024 ** 2
    const script = `echo first; head -c ${size} /dev/zero; echo; echo last`
    const { tasks, run } = await crew(script, { limits: { beatMs: 1_000 } })
    // of this thread alone: others work in the same process
    const used = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
    const before = used()
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, used() - before)
    }, 10)
    const agent = await run()
    clearInterval(timer)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(100 * 1024 ** 2)
    const { text, total, missing } = await tasks.output(agent.id)
    expect(total).toBe(size + 12)
    expect(missing).toBe(total - (256 + 1024) * 1024)
    expect(text.startsWith('first\n')).toBe(true)
    expect(text.endsWith('\nlast\n')).toBe(true)
    expect(text).toContain(`\n[… ${missing} bytes are not kept …]\n`)
    expect(text.length).toBeLessThan(1_400_000)
  })

  test('is read by lines, by bytes and as JSON, while it runs and after', async () => {
    const { tasks, task, store } = await crew('printf \'{"a":1}\\nplain\\n{"b":2}\\n\'; sleep 0.3; echo end')
    const { agent, ended } = await tasks.deploy(task.id, { runner: 'agent' })
    await eventually(async () => (await tasks.output(agent.id)).next === 22)
    await ended
    // from the store, as another process sees it
    const other = openTasks({ store, workspace: 'w' })
    expect((await other.output(agent.id, { tail: 1 })).text).toBe('end')
    expect((await other.output(agent.id, { head: 2, format: 'lines' })).lines).toEqual(['{"a":1}', 'plain'])
    expect((await other.output(agent.id, { format: 'jsonl' })).values).toEqual([{ a: 1 }, { b: 2 }])
    expect(await other.output(agent.id, { from: 22 })).toMatchObject({ text: 'end\n', next: 26, state: 'completed' })
    expect(await refusedBy(other.output(agent.id, { tail: -1 }))).toMatchObject({ field: 'tail' })
  })
})
