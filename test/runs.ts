const standard = 300

/** How many cases each property is tried on: `THROUGHLINE_RUNS`, or a few hundred. */
export const runs = Number(process.env.THROUGHLINE_RUNS ?? standard)

if (!Number.isInteger(runs) || runs < 1) throw new Error('THROUGHLINE_RUNS must be a whole number above 0')

export const deep = runs > standard
