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

/** Those that 300 worlds find. Nine more were tried and are not found: worlds in which their mistakes would show are still missing. */
export const sourceMutants: readonly SourceMutant[] = [
  runs('begin', 'two answers are written at once', 'body, sole: true }', 'body, sole: false }'),
  runs('begin', 'a request that is repeated is asked again', '...(once && { key: id }),', ''),
  runs('begin', 'the beginning of a run is not told', "events: [{ type: 'run-started', data: { run } }]", 'events: []'),
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
    '...overSteps(run, body.request, []).slice(0, 0), ...[].concat(',
  ),
  runs(
    'recover',
    'a dead server’s runs are left alone',
    'await store.claimDrafts(workspace, leaseSeconds)',
    '[] as Draft[]',
  ),
  runs(
    'stop',
    'who is stopped in line begins later',
    "          { do: 'remove-record', kind: kinds.queued, id },\n",
    '',
  ),
  runs(
    'stop',
    'a stop in line is not told',
    "          { do: 'emit', events: [runEnded(stopped)], at },\n",
    "          { do: 'emit', events: [], at },\n",
  ),
  runs(
    'ending',
    'the end of a run is not kept',
    "    { do: 'put-record', record: { kind: kinds.run, id: run.id, body, at } },\n",
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
