import { routes } from '../../src/http/routes.js'
import { refusesHarm } from './hostile.suite.js'

refusesHarm(routes, 2_000)
