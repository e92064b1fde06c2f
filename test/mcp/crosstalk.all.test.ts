import { keepsApart } from './crosstalk.suite.js'

keepsApart(2_000)
