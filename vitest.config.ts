import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { deep, seed } from './test/runs.js'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/lib/build.ts', 'test/postgres/setup.ts', 'test/web/setup.ts'],
    setupFiles: 'test/setup.ts',
    pool: 'threads',
    // what a file imports, the next one has: a quarter of the time went into importing the same again
    isolate: false,
    // most files wait for a server, a browser or a disk part of the time
    maxWorkers: Math.max(3, availableParallelism() + 1),
    // one seed for every worker of a run
    env: { THROUGHLINE_SEED: String(seed) },
    // long enough for a machine that others use, too: only what hangs comes to this
    hookTimeout: 180_000,
    testTimeout: deep ? 3_600_000 : 120_000,
  },
})
