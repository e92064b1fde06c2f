import fc from 'fast-check'
import { afterEach } from 'vitest'
import { seed } from './runs.js'

fc.configureGlobal({ seed })

afterEach(({ task }) => {
  if (task.result?.state === 'fail')
    process.stderr.write(`\nseed ${seed}: THROUGHLINE_SEED=${seed} replays the random cases of "${task.name}"\n`)
})
