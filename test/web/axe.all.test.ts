import { findsNothing } from './axe.suite.js'

findsNothing(() => ['light', 'dark'])
