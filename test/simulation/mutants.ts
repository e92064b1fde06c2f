/** Mistakes in the code of runs and of their queue: a place in a file, and what stands there instead. */
export interface SourceMutant {
  readonly what: string
  readonly file: string
  readonly from: string
  readonly to: string
}

const runs = (name: string, what: string, from: string, to: string): SourceMutant => ({
  what,
  file: `src/runs/${name}.ts`,
  from,
  to,
})

/**
 * Those that 300 worlds find. One more needs two servers within milliseconds, and has a test of its own: who is stopped in line may
 * have begun. Two change nothing that can be seen: who began elsewhere and stays in line is let go when its turn comes, and a run that
 * is over is looked for once more after the line. A request that waits behind itself needs an agent at its second step: no world has one.
 */
export const sourceMutants: readonly SourceMutant[] = [
  runs('begin', 'two answers are written at once', 'body, sole: true }', 'body, sole: false }'),
  runs('begin', 'a request that is repeated is asked again', '...(once && { key: id }),', ''),
  runs('begin', 'the beginning of a run is not told', "events: [{ type: 'run-started', data: { run } }]", 'events: []'),
  runs(
    'begin',
    'a run that ended does not let the next one begin',
    'if (others) floor.free',
    'if (!others) floor.free',
  ),
  runs('queue', 'who begins stays in line', '  leftLine(run.id),\n', ''),
  runs('queue', 'what gets in line is not told', "[{ type: 'run-queued', data: { run: run.id, behind } }]", '[]'),
  runs('runs', 'a run that is over is stopped again', 'if (isOver(run)) return run', ''),
  runs('begin', 'a request for an answer is asked again', 'if (before && before.state', 'if (before && !before.state'),
  runs(
    'drive',
    'a run that was lost is told to have ended',
    'if (isLost(error)) return null\n    if (!Hist',
    'if (isLost(error)) return over\n    if (!Hist',
  ),
  runs(
    'drive',
    'who was frozen believes that the run is still its own',
    'return at.isLost() ? null : over',
    'return over',
  ),
  runs(
    'runs',
    'a request that comes twice at once is refused',
    "(message === undefined && isRefused(error, 'id_conflict'))",
    'message === null',
  ),
  runs('queue', 'of two servers both begin what waits', 'body: { run }, at, expect: null }', 'body: { run }, at }'),
  runs('runs', 'who ran before it got in line keeps the others waiting', 'if (!repeated) return', 'return'),
  runs('runs', 'what waits is forgotten when its server dies', '...waiting.items.flatMap', '...[].flatMap'),
  runs('runs', 'all requests of a conversation are one', '`${conversation}\\n${key}`', '`${conversation}`'),
  runs(
    'recover',
    'what a dead server had said is dropped',
    'const says = parts.length > 0',
    'const says = parts.length > 1e9',
  ),
  runs(
    'recover',
    'a run of a dead server has no end',
    '...overSteps(run, body.request,',
    '...overSteps(run, body.request, []).slice(0, 0), ...[].slice(0, 0, ',
  ),
  runs(
    'recover',
    'a dead server’s runs are left alone',
    'await store.claimDrafts(workspace, leaseSeconds)',
    '[] as Draft[]',
  ),
  runs('stop', 'who is stopped in line begins later', '    ...startedFromLine(run, at),\n', ''),
  runs(
    'stop',
    'a stop in line is not told',
    "    { do: 'emit', events: [runEnded(run)], at },\n",
    "    { do: 'emit', events: [], at },\n",
  ),
  runs(
    'ending',
    'the end of a run is not kept',
    "    { do: 'put-record', record: { kind: runKinds.run, id: run.id, body, at } },\n",
    '',
  ),
  runs(
    'ending',
    'the end of a run is told before its last words',
    'events: [...events, runEnded(run)]',
    'events: [runEnded(run), ...events]',
  ),
  runs(
    'scribe',
    'words are told again when an answer of the store was lost',
    'if (written !== null) {',
    'if (written === -1) {',
  ),
  runs('scribe', 'the last words are not told', 'await commit(steps(gather()))', 'await commit(steps([]))'),
]
