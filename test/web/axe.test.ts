/** A screen of each kind; `axe.all.test.ts` has them all, in both themes. */
import { findsNothing } from './axe.suite.js'

findsNothing([
  ['first run', 'light'],
  ['what the model saw', 'dark'],
  ['search', 'light'],
  ['settings', 'dark'],
  ['the list on a phone', 'light'],
  ['shared page', 'dark'],
])
