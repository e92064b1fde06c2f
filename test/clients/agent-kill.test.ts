import { test } from 'vitest'
import { survives } from './agent-kill.suite.js'

test('an agent of 10 steps outlives kill -9 of its service, and no call is run twice', async () => {
  await survives(10, new Set([7]))
}, 240_000)
