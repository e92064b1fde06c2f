/** Every fault once, and every wire with every kind of answer; `faults.all.test.ts` has all of them together. */
import { meetFaults, ways } from './faults.fixture.js'

meetFaults((fault, way) => fault % ways === way)
