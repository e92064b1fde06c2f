/** Each screen in one theme; `axe.all.test.ts` has both. */
import { findsNothing } from './axe.suite.js'

findsNothing((screen) => [screen % 2 === 0 ? 'light' : 'dark'])
