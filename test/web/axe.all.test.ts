import { everything, findsNothing } from './axe.suite.js'

findsNothing(everything)
