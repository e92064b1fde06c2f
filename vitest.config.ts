import { defineConfig } from 'vitest/config'
import { deep } from './test/runs.js'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/postgres/setup.ts',
    setupFiles: 'test/setup.ts',
    pool: 'threads',
    testTimeout: deep ? 3_600_000 : 60_000,
  },
})
