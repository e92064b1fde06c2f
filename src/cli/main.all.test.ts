/** The rest of the commands of `main.test.ts`. */
import { beforeAll, describe } from 'vitest'
import { build } from './cli.fixture.js'
import { colourless, exitsWith, fitsScreen, hintsAt, saysOf } from './main.fixture.js'

beforeAll(build, 120_000)

describe('the exit code', () => {
  exitsWith([
    [0, ['--help']],
    [0, ['help', 'assemble']],
    [0, ['policies', 'list']],
    [0, ['--json', 'policies', 'list']],
    [0, ['assemble', '--sample']],
    [1, ['assemble', '--sample', '--policy', 'handoff-assistant-first']],
    [1, ['assemble', '--sample', '--overrides', '{"fit":{"floor":-1}}']],
    [2, []],
    [2, ['policies']],
    [2, ['policies', 'show']],
    [2, ['policies', 'diff', 'balanced']],
    [2, ['assmble']],
    [2, ['assemble', '--frobnicate']],
    [2, ['assemble', '--budget']],
    [2, ['assemble', '--budget', 'lots']],
    [2, ['assemble', '--sample', '--json=yes']],
    [2, ['assemble', '--sample', '--target', 'telegram']],
    [2, ['assemble', '--sample', '--policy', 'nope']],
    [2, ['assemble', '--sample', '--now', 'soon']],
    [2, ['assemble', 'a', 'b']],
    [2, ['assemble', 'a', '--sample']],
    [2, ['assemble', '--jsonl', 'a.jsonl']],
    [2, ['explain', '--sample', '--jsonl']],
    [6, ['explain', '--sample', '--budget', '10']],
  ])

  hintsAt([
    [['policies', 'lst'], "did you mean 'list'?"],
    [['assemble', '--polcy', 'x'], 'did you mean --policy?'],
    [['assemble', '--sample', '--policy', 'balnced'], "did you mean 'balanced'?"],
    [['assemble', '--sample', '--target', 'antropic'], "did you mean 'anthropic'?"],
  ])
})

describe('--help', () => {
  fitsScreen([
    ['explain'],
    ['validate'],
    ['policies'],
    ['policies', 'diff'],
    ['serve'],
    ['config'],
    ['keys'],
    ['doctor'],
    ['tour'],
    ['chat'],
    ['list'],
    ['show'],
    ['search'],
    ['fork'],
    ['context'],
    ['export'],
    ['verify'],
    ['backup'],
    ['task'],
    ['completion'],
  ])
})

describe('what is said of an operation', () => {
  saysOf([
    ['search', 'messages.search'],
    ['fork', 'branches.fork'],
    ['compact', 'conversations.compact'],
    ['import', 'transfer.import'],
    ['export', 'conversations.export'],
    ['receipts', 'receipts.list'],
    ['verify', 'conversations.verify'],
  ])
})

describe('what is no terminal', () => {
  colourless([
    ['policies', 'list'],
    ['validate', '--sample'],
    ['assemble', '--sample'],
    ['assemble', '--sample', '--budget', '10'],
    ['assmble'],
  ])
})
