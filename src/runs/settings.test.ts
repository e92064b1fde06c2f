import { describe, expect, test } from 'vitest'
import { settingsIn, settleRun } from './settings.js'

const talk = (meta: Record<string, unknown>) => ({ meta })

describe('the settings of a conversation', () => {
  test('are read once for every door, and what is not what it should be is as if it were not there', () => {
    const meta = { model: 'a/b', system: 'Be brief.', budget: 8_000, temperature: 0.2, effort: 'high', tools: false }
    expect(settingsIn(talk(meta))).toMatchObject({ budget: 8_000, temperature: 0.2, effort: 'high', agent: false })
    const wrong = { budget: -1, temperature: 9, effort: 'huge', tools: 'no' }
    expect(settingsIn(talk(wrong))).toMatchObject({
      budget: undefined,
      temperature: undefined,
      effort: undefined,
      agent: undefined,
    })
  })

  test('give way to the request, but a conversation without tools stays without', () => {
    const settled = settleRun({ temperature: 1, agent: true }, talk({ temperature: 0.2, tools: false }))
    expect(settled).toMatchObject({ temperature: 1, agent: false })
    expect(settleRun({ agent: true }, talk({ tools: true })).agent).toBe(true)
  })
})
