import fc from 'fast-check'
import { deep } from './runs.js'

/** The same cases every time, so that a change and nothing else turns a test red; deep runs look further every time. */
if (!deep) fc.configureGlobal({ seed: 20_261_115 })
