/**
 * How hard the property tests look. `npm test` tries a few cases and `npm run test:all` more (`THROUGHLINE_RUNS`). The
 * cases differ every day: the day is the seed. `THROUGHLINE_SEED` replays a run that failed.
 */
const usual = 100

/** From here on a run searches: it may take hours, and its seed is a new one every time. */
const searching = 1_000

/** How many cases each property is tried on. */
export const runs = whole('THROUGHLINE_RUNS', usual)

export const deep = runs >= searching

export const seed = whole('THROUGHLINE_SEED', deep ? Date.now() % 2 ** 31 : dayOf(new Date()))

/** For a proof that a checker catches a mutant: what is proved is the checker, so its cases never change. */
export const pinned = { seed: 20_261_115, numRuns: 300 }

function whole(name: string, otherwise: number): number {
  const given = process.env[name]
  const number = given === undefined || given === '' ? otherwise : Number(given)
  if (Number.isInteger(number) && number > 0) return number
  throw new Error(`${name} must be a whole number above 0; it is ${given}`)
}

/** 16 November 2026 is 20261116. */
function dayOf(date: Date): number {
  return Number(date.toISOString().slice(0, 10).replaceAll('-', ''))
}
