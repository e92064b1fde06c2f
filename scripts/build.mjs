import { prepare } from './lib/prepare.mjs'
import { fail } from './lib/run.mjs'

await prepare().catch(fail)
