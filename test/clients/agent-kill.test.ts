import { test } from 'vitest'
import { survives } from './agent-kill.suite.js'

test('an agent of 30 steps outlives kill -9 of its service, and no call is run twice', async () => {
  await survives(30, new Set([1, 7, 30]))
}, 240_000)
