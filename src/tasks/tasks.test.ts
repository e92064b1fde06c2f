import { describe, expect, test } from 'vitest'
import type { NewFinding, ProgressUpdate, TaskMove, TaskState } from './record/contract.js'
import { refusedBy, stage, times } from './tasks.fixture.js'

const one = async () => {
  const { tasks, store } = stage()
  return { tasks, store, id: (await tasks.register({ description: 'Repair the dashboard' })).task.id }
}

describe('the states of a task', () => {
  const to = (state: TaskState) => ({ to: state }) as TaskMove
  test.each([
    [['active', 'blocked', 'active', 'completed']],
    [['active', 'failed']],
    [['active', 'blocked', 'cancelled']],
    [['cancelled']],
  ] as const)('follow one another: %j', async (states) => {
    const { tasks, id } = await one()
    for (const state of states) expect((await tasks.move(id, to(state))).state).toBe(state)
  })

  test.each([
    [[], 'completed'],
    [[], 'blocked'],
    [['active'], 'active'],
    [['active', 'completed'], 'active'],
    [['active', 'failed'], 'cancelled'],
    [['cancelled'], 'active'],
  ] as const)('after %j cannot be %s', async (before, state) => {
    const { tasks, id } = await one()
    for (const step of before) await tasks.move(id, to(step))
    const { state: was } = (await tasks.status(id)).task
    expect(await refusedBy(tasks.move(id, to(state)))).toMatchObject({
      code: 'illegal_move',
      message: `a task that is ${was} cannot become ${state}`,
    })
    expect((await tasks.status(id)).task.state).toBe(was)
  })

  test('end with a result, which is kept', async () => {
    const { tasks, id } = await one()
    await tasks.progress(id, { status: 'working' })
    await tasks.move(id, { to: 'completed', result: { files: ['a.ts'] }, note: 'all done' })
    expect(await tasks.get(id)).toMatchObject({ state: 'completed', result: { files: ['a.ts'] }, note: 'all done' })
    expect((await refusedBy(tasks.spawn(id, { description: 'more' }))).code).toBe('illegal_move')
  })

  test('are those of one task only: who is not there is not found', async () => {
    const { tasks } = await one()
    for (const act of [
      tasks.status('no'),
      tasks.prompt('no'),
      tasks.progress('no', { status: 'x' }),
      tasks.kill('no.1'),
    ])
      expect((await refusedBy(act)).code).toBe('not_found')
    expect(await tasks.get('no')).toBeNull()
    expect(await tasks.agent('no.1')).toBeNull()
  })
})

describe('reports', () => {
  test('make a task active, and stand in its timeline in the order in which they came', async () => {
    const { tasks, id } = await one()
    await tasks.progress(id, { agent: 'a', status: 'working', message: 'reading', percent: 40 })
    await tasks.finding(id, {
      agent: 'a',
      kind: 'issue',
      severity: 'high',
      message: 'N+1 queries',
      data: { file: 'x.py' },
    })
    const { items } = await tasks.timeline(id, { limit: 10 })
    expect(items.map(({ number, type }) => [number, type])).toEqual([
      [3, 'finding'],
      [2, 'progress'],
      [1, 'state'],
    ])
    expect(items[0]).toMatchObject({ agent: 'a', kind: 'issue', severity: 'high', data: { file: 'x.py' } })
    expect((await tasks.status(id)).task).toMatchObject({ state: 'active', counts: { progress: 1, findings: 1 } })
    expect((await tasks.status(id)).severities).toEqual({ high: 1 })
  })

  test('of many agents at once are all kept, each with a number of its own', async () => {
    const { tasks, id } = await one()
    await Promise.all(times(60, (index) => tasks.finding(id, { kind: 'insight', message: `no ${index}` })))
    const { items } = await tasks.timeline(id, { limit: 100 })
    expect(items.map(({ number }) => number)).toEqual(times(61, (index) => 61 - index))
    expect((await tasks.status(id)).task.counts.findings).toBe(60)
  })

  test('that come after the end are kept and change nothing', async () => {
    const { tasks, id } = await one()
    await tasks.move(id, { to: 'cancelled' })
    await tasks.finding(id, { kind: 'insight', message: 'too late' })
    expect((await tasks.status(id)).task.state).toBe('cancelled')
  })

  test.each([
    [{ status: '' }, 'progress.status'],
    [{ status: 'x', percent: 101 }, 'progress.percent'],
    [{ status: 'x', percent: 'half' }, 'progress.percent'],
    [{ status: 'x', agent: 7 }, 'agent'],
  ])('that are wrong are refused: %j', async (update, field) => {
    const { tasks, id } = await one()
    expect(await refusedBy(tasks.progress(id, update as unknown as ProgressUpdate))).toMatchObject({
      code: 'invalid',
      field,
    })
  })

  test('of a finding are judged, too', async () => {
    const { tasks, id } = await one()
    const bad = { kind: 'issue', severity: 'dire', message: 'x' } as unknown as NewFinding
    expect(await refusedBy(tasks.finding(id, bad))).toMatchObject({ field: 'finding.severity' })
    expect((await refusedBy(tasks.finding(id, { kind: 'issue', message: 'x'.repeat(30_000) }))).code).toBe('too_large')
  })
})

describe('the list', () => {
  const shop = async () => {
    const { tasks } = stage()
    const { task: parent } = await tasks.register({ description: 'Repair the dashboard', priority: 'P0' })
    const { task: child } = await tasks.spawn(parent.id, { description: 'Index the database' })
    const { task: other } = await tasks.register({ description: 'Write the manual', priority: 'P4' })
    await tasks.finding(other.id, { kind: 'insight', message: 'The dashboard has no manual yet' })
    return { tasks, parent, child, other }
  }

  test('is newest first and narrowed by state, priority and parent', async () => {
    const { tasks, parent, child, other } = await shop()
    const ids = async (query: object) => (await tasks.list({ limit: 10, ...query })).items.map(({ id }) => id)
    expect(await ids({})).toEqual([other.id, child.id, parent.id])
    expect(await ids({ state: 'active' })).toEqual([other.id])
    expect(await ids({ priority: 'P0' })).toEqual([parent.id])
    expect(await ids({ parent: parent.id })).toEqual([child.id])
    expect((await tasks.status(parent.id)).children).toBe(1)
  })

  test('is searched by words of the description and of findings', async () => {
    const { tasks, parent, child, other } = await shop()
    const ids = async (text: string) => (await tasks.list({ limit: 10, text })).items.map(({ id }) => id)
    expect(await ids('dashboard')).toEqual([other.id, parent.id])
    expect(await ids('manual yet')).toEqual([other.id])
    expect(await ids('databas')).toEqual([child.id])
    expect(await ids('nothing of the kind')).toEqual([])
  })

  test('comes in pages that skip and repeat nothing', async () => {
    const { tasks } = stage()
    for (const at of times(25, (index) => index))
      await tasks.register({ description: `task ${at}${at % 3 ? '' : ' even'}` })
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await tasks.list({ limit: 4, text: 'even', ...(cursor ? { cursor } : null) })
      seen.push(...page.items.map(({ description }) => description))
      cursor = page.cursor
    } while (cursor)
    expect(seen).toEqual(times(9, (index) => `task ${24 - 3 * index} even`))
  })

  test('of one workspace shows nothing of another', async () => {
    const { tasks, store } = await one()
    const foreign = stage({ store, workspace: 'other' }).tasks
    expect((await foreign.list({ limit: 10 })).items).toEqual([])
    const [task] = (await tasks.list({ limit: 1 })).items
    expect(await foreign.get(task?.id ?? '')).toBeNull()
  })
})
