import { describe, expect, test } from 'vitest'
import { rows } from '../../testing/torture/rows.js'
import { type PresetName, presets } from '../policy/presets/index.js'
import { check } from '../rules/check.js'
import { rules } from '../rules/rules.js'
import { assemble } from '../window/assemble.js'

type Body = Readonly<Record<string, unknown>>

const history = rows.filter(
  ({ target, rule }) => (rules[target].find((one) => one.rule === rule)?.kind ?? 'history') === 'history',
)

/** The messages of a request, as a history that a store might hold. */
function historyOf(body: Body, model: string | undefined): readonly unknown[] {
  const list = (body.messages ?? body.input ?? body.contents) as readonly Body[]
  return list.map((message) => (message.role === 'user' ? message : { ...message, model }))
}

describe('a window made of a refused request is not refused', () => {
  test.each(history.map((row, i) => [`${row.code} ${row.rule} ${row.target} ${i}`, row] as const))('%s', (_, row) => {
    const { target, context = {}, bad } = row
    const body = bad as Body
    const model = context.model ?? (body.model as string | undefined) ?? (body.modelVersion as string | undefined)
    const thinking = body.thinking as Body | undefined
    let windows = 0
    for (const preset of Object.keys(presets) as PresetName[]) {
      const made = assemble(
        {
          messages: historyOf(body, model),
          ...(typeof body.system === 'string' && { system: body.system }),
          ...(Array.isArray(body.tools) && { tools: body.tools }),
        },
        preset,
        {
          target,
          ...(model && { model }),
          ...(context.profile && { profile: context.profile }),
          ...(thinking && { thinking: thinking.type !== 'disabled' }),
        },
      )
      if (!made.ok) continue
      windows++
      const { messages: _m, input: _i, contents: _c, system: _s, tools: _t, ...settings } = body
      // what the provider issued cannot be known to those who only hold the request
      const { issued: _known, ...rest } = context
      expect(check(target, { ...settings, ...(made.rendered as object) }, rest)).toEqual([])
    }
    expect(windows).toBeGreaterThan(0)
  })
})
