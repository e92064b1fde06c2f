import { describe, expect, test } from 'vitest'
import type { TaskInput } from './record/input.js'
import { stage, user } from './tasks.fixture.js'

describe('the histories above', () => {
  test('are there for a child, the nearest last, the farthest first to go [S0-P5]', async () => {
    const { tasks } = stage()
    const make = (text: string): TaskInput => ({
      description: `about ${text}`,
      conversation_history: [user(`${text} was said`)],
    })
    const { task: top } = await tasks.register(make('alpha'))
    const { task: middle } = await tasks.spawn(top.id, make('beta'))
    const { task: child } = await tasks.spawn(middle.id, make('gamma'))
    const { text, tasks: above, tokens } = await tasks.ancestors(child.id)
    expect(text.indexOf('alpha was said')).toBeGreaterThan(0)
    expect(text.indexOf('beta was said')).toBeGreaterThan(text.indexOf('alpha was said'))
    expect(text).not.toContain('gamma')
    expect(above.map(({ task, shown }) => [task, shown])).toEqual([
      [middle.id, true],
      [top.id, true],
    ])
    const tight = await tasks.ancestors(child.id, { tokens: Math.ceil(tokens * 0.7) })
    expect(tight.text).toContain('beta was said')
    expect(tight.text).not.toContain('alpha was said')
    expect(tight.text).toContain('(The histories of 1 tasks above these do not fit and are not shown.)')
    expect(await tasks.ancestors(top.id)).toMatchObject({ text: '', tasks: [] })
  })
})
