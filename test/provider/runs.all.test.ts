import { cells, survives } from './survival.suite.js'

survives(cells)
