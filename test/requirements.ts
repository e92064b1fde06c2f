import type { Requirement, Room } from './lib/requirement.js'
import { abuse } from './requirements/abuse.js'
import { field } from './requirements/field.js'
import { goldens } from './requirements/goldens.js'
import { laws } from './requirements/laws.js'
import { lessons } from './requirements/lessons.js'
import { regressions } from './requirements/regressions.js'
import { s0 } from './requirements/s0.js'
import { s1 } from './requirements/s1.js'
import { s2 } from './requirements/s2.js'
import { s3 } from './requirements/s3.js'
import { s4 } from './requirements/s4.js'

/** Everything that is asked of the product. A test proves a requirement by its id in the test's title: `[S0-15]`. */
export const requirements: readonly Requirement[] = [
  ...s0,
  ...s1,
  ...s2,
  ...s3,
  ...s4,
  ...lessons,
  ...laws,
  ...regressions,
  ...goldens,
  ...abuse,
  ...field,
]

/** The rooms that stand: each of their requirements must be proved by a test. */
export const built: readonly Room[] = ['core', 'store', 'engine', 'service', 'tasks', 'recall', 'web']
