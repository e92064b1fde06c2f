/** Every sixth route; `hostile.all.test.ts` has them all. */
import { routes } from '../../src/http/routes.js'
import { refusesHarm } from './hostile.suite.js'

refusesHarm(
  routes.filter((_, at) => at % 6 === 0),
  300,
)
