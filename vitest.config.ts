import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { deep, seed } from './test/runs.js'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/postgres/setup.ts',
    setupFiles: 'test/setup.ts',
    pool: 'threads',
    // most files wait for a server, a browser or a disk part of the time
    maxWorkers: Math.max(2, availableParallelism()),
    // one seed for every worker of a run
    env: { THROUGHLINE_SEED: String(seed) },
    testTimeout: deep ? 3_600_000 : 60_000,
  },
})
