/** The recaller of everyone who does not choose another: one for the process, so that what it learnt is shared. */
import type { Recaller } from './contract.js'
import { createRecaller } from './recaller.js'

let made: Recaller | null = null

export const usualRecaller: Recaller = (asked) => {
  made ??= createRecaller()
  return made(asked)
}
