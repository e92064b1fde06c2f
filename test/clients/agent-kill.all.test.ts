import { test } from 'vitest'
import { survives } from './agent-kill.suite.js'

test('an agent outlives kill -9 of its service between any two of its 30 steps', async () => {
  await survives(30, new Set(Array.from({ length: 30 }, (_, i) => i + 1)))
}, 900_000)
