/** Runs: answers that belong to the server, streamed to whoever follows and kept whatever happens. @module */
export type { Run, RunEvent, RunRequest, RunState, Runs, Started } from './contract.js'
export type { RunsOptions } from './floor.js'
export { openRuns } from './runs.js'
