/** Every fault once, and every wire with every kind of answer; `runs.all.test.ts` has all of them together. */
import { cells, survives } from './survival.suite.js'

const ways = new Set(cells.map(({ wire, kind }) => `${wire} ${kind}`)).size

survives(cells.filter((_, at) => at % ways === Math.floor(at / ways) % ways))
