/** The same question with another window, answered on a branch of its own. */
import type { WhatIf } from '../../src/client/index.js'
import { api } from '../api.js'
import { goTo } from '../place.js'
import type { Seen } from './seen.js'

export async function askAgain({ conversation, answer, run }: Seen, wish: WhatIf): Promise<void> {
  const { name } = await api.messages.regenerate(conversation, answer)
  const { risks: _, budget, ...settings } = wish
  await api.runs.start(conversation, {
    model: run.model,
    policy: run.policy,
    ...settings,
    ...(typeof budget === 'number' && { budget }),
    branch: name,
  })
  goTo(conversation, name)
}
