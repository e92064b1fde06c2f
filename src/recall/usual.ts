/** The recaller and the finder of everyone who does not choose others: one for the process, so that what it learnt is shared. */
import type { Recaller } from './contract.js'
import { createFinder, type Finder } from './finder.js'
import { createRecaller } from './recaller.js'

let made: Recaller | null = null

export const usualRecaller: Recaller = (asked) => {
  made ??= createRecaller()
  return made(asked)
}

export const usualFinder: Finder = createFinder()
