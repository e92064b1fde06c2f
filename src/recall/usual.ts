/** The recaller and the finder of everyone who does not choose others: one for the process, so that what it learnt is shared. */
import type { Recaller } from './contract.js'
import { createFinder, type Finder } from './finder.js'
import { openRecall } from './recaller.js'

let made: ReturnType<typeof openRecall> | null = null

export const usual = () => {
  made ??= openRecall()
  return made
}

export const usualRecaller: Recaller = (asked) => usual().recall(asked)

export const usualFinder: Finder = createFinder()
