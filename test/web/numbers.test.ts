/** A few conversations; `numbers.all.test.ts` has fifty. */
import { figuresAreTheRequest } from './numbers.suite.js'

figuresAreTheRequest([1, 2, 3, 4])
