import { keepsApart } from './crosstalk.suite.js'

keepsApart(200)
