/** Mistakes in the code of runs and of their queue: a place in a file, and what stands there instead. */
import type { Mode } from './world.js'

export interface SourceMutant {
  readonly what: string
  readonly file: string
  readonly from: string
  readonly to: string
  /** The worlds in which it is looked for. */
  readonly mode: Mode
}

const runs = (name: string, what: string, from: string, to: string): SourceMutant => ({
  what,
  file: `src/runs/${name}.ts`,
  from,
  to,
  mode: 'talk',
})

const tasks = (name: string, what: string, from: string, to: string): SourceMutant => ({
  what,
  file: `src/tasks/${name}.ts`,
  from,
  to,
  mode: 'hand',
})

const doors = (file: string, what: string, from: string, to: string): SourceMutant => ({
  what,
  file: `src/${file}.ts`,
  from,
  to,
  mode: 'door',
})

/**
 * Those that 300 worlds find. One more needs two servers within milliseconds, and has a test of its own: who is stopped in line may
 * have begun. Two change nothing that can be seen: who began elsewhere and stays in line is let go when its turn comes, and a run that
 * is over is looked for once more after the line; an entry of a task that is counted twice says the same twice.
 * That an agent hears of its end from another process has tests of its own, in `life.test.ts`. A request that waits behind itself needs an agent at its second step: no world has one.
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
  runs('begin', 'who is stopped in line begins later', '    ...startedFromLine(run, at),\n', ''),
  runs(
    'begin',
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
  tasks(
    'agents/end',
    'an agent that ended ends again',
    'known.endedAt === null ? { ...known, ...parting, endedAt, seenAt: endedAt } : known',
    '({ ...known, ...parting, endedAt, seenAt: endedAt })',
  ),
  tasks('agents/end', 'the end of an agent is told by everyone', ', undefined, tellsEnd(id))', ')'),
  tasks(
    'agents/end',
    'a task is over while an agent works on it',
    'if (!last || agents.some(({ endedAt }) => endedAt === null)) return',
    'if (!last) return',
  ),
  tasks(
    'agents/end',
    'the last agent’s end leaves the task at work',
    "now.state !== 'active' || now.counts",
    "now.state === 'active' || now.counts",
  ),
  tasks('record/timeline', 'what an entry says is not done', 'task: changedBy(now.task, makes)', 'task: now.task'),
  tasks(
    'record/timeline',
    'a report is not counted',
    'return counted(begunTask(task, env.now()), what)',
    'return begunTask(task, env.now())',
  ),
  tasks('record/state', 'what is completed is taken up again', 'completed: [],', "completed: ['active'],"),
  tasks(
    'record/desk',
    'everyone’s tasks are in one workspace',
    'desk.store.getRecord(desk.workspace, kind, id))?.body',
    "desk.store.getRecord('w', kind, id))?.body",
  ),
  tasks('record/desk', 'a change is written over another', 'expect: known.revision })', '})'),
  tasks(
    'agents/recover',
    'who lives is taken for dead when the clock jumps',
    'agent.seenAt === agents[at]?.seenAt',
    'agent.seenAt !== null',
  ),
  tasks(
    'agents/recover',
    'the agents of a dead server are left alone',
    "> limits.lostMs ? 'silent'",
    "> 1e12 ? 'silent'",
  ),
  tasks(
    'agents/life',
    'an agent works on past its time',
    "setTimeout(() => end('timed_out'), agent.timeoutMs)",
    'setTimeout(() => {}, agent.timeoutMs)',
  ),
  tasks(
    'tasks',
    'agents of a cancelled task work on',
    "if (move.to === 'cancelled') await",
    'if (move.to === null) await',
  ),
  doors('http/standing', 'a stream outlives its key', '      one.ending.abort()\n', ''),
  doors('http/kit/auth', 'a revoked key is remembered as good', 'const cacheMs = 1_000', 'const cacheMs = 1e9'),
  doors(
    'http/kit/auth',
    'every key is for one workspace',
    'return { workspace: facts.workspace,',
    "return { workspace: 'w',",
  ),
  doors('http/rate', 'who asks too often need not wait', 'bucket.tokens -= 1', ''),
  doors('http/app', 'a key that may read writes', '  allow(caller, route.scope)\n', ''),
  doors('http/app', 'a request has no key of its own', '    key: keyOf(request, route),', '    key: undefined,'),
  doors(
    'http/live/stream',
    'who comes back misses an event',
    'frames(asked, conversation, after, signal))',
    'frames(asked, conversation, after + 1, signal))',
  ),
  doors('http/kit/sse', 'a stream that was left is held', '      cancel: leave,', '      cancel: () => {},'),
  doors('http/kit/body', 'a body has no bound', 'if (size > most) throw tooLarge(most)', ''),
]
