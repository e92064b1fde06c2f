/** The five specifications at their doors: which requirement is proved where, and how we stand to it. */
import { citations } from './coverage.js'
import type { Requirement } from './requirement.js'
import type { Tree } from './tree.js'

export interface Specification {
  readonly id: 'S0' | 'S1' | 'S2' | 'S3' | 'S4'
  readonly title: string
  /** What its holder calls. */
  readonly door: string
  /** Tests that go through it, with no preset named. */
  readonly tests: RegExp
}

const http = 'test/http/(?!tenancy|fuzz)'

export const specifications: readonly Specification[] = [
  {
    id: 'S0',
    title: 'Conversation History Schema',
    door: 'create_real_task (MCP)',
    // how long histories do is told by the usage of the service
    tests: /^test\/mcp\/(?:s0|handoff|example)|^test\/http\/live-usage|^src\/tasks\/history\/collect/,
  },
  {
    id: 'S1',
    title: 'Conversation History Context',
    door: 'POST /api/query',
    tests: new RegExp(`^${http}|^test/doors/s1|^test/web/`),
  },
  {
    id: 'S2',
    title: 'Conversation History Validation Rules',
    door: 'create_real_task with the setting handoff = handoff-assistant-first',
    tests: /^test\/mcp\/s2/,
  },
  {
    id: 'S3',
    title: 'Conversation history for an agent service',
    door: 'throughline/claude-agent-sdk, POST /chat and /runs with tools, throughline/agent, throughline/recipes',
    tests: new RegExp(`^${http}|^test/doors/s3|^test/specs/s3|^src/runs/|^test/clients/agent-|^src/adapters/claude`),
  },
  {
    id: 'S4',
    title: 'Conversation Continuity',
    door: 'POST /chat',
    tests: new RegExp(`^${http}|^test/doors/s4`),
  },
]

/** Asked of a function: the time that validation takes, and the counter that is its argument. */
const ofLibrary: ReadonlySet<string> = new Set(['S0-45', 'S4-F4'])

/** What only people can judge. */
export const people: ReadonlySet<string> = new Set(['S0-47', 'S1-26'])

export type Verdict = 'holds' | 'differs' | 'people' | 'elsewhere' | 'unproved'

export interface Row {
  readonly id: string
  readonly says: string
  readonly door: string
  readonly verdict: Verdict
  /** The contradiction or decision behind a difference. */
  readonly why: string
  /** The files that prove it. */
  readonly proof: readonly string[]
}

/** `elsewhere`: proved, but not through the specification's own door. */
export function rowsOf(requirements: readonly Requirement[], tests: Tree): readonly Row[] {
  const cited = new Map<string, string[]>()
  for (const [path, source] of Object.entries(tests))
    for (const id of new Set(citations(source))) cited.set(id, [...(cited.get(id) ?? []), path])
  return specifications.flatMap(({ id, door, tests: own }) =>
    requirements
      .filter((one) => one.id.startsWith(`${id}-`))
      .map((one): Row => {
        const all = cited.get(one.id) ?? []
        const here = all.filter((path) => own.test(path))
        const proof = here.length > 0 ? here : all
        return { id: one.id, says: one.says, door, proof, why: one.deviates ?? '', verdict: verdictOf(one, here, all) }
      }),
  )
}

function verdictOf({ id, deviates }: Requirement, here: readonly string[], all: readonly string[]): Verdict {
  if (people.has(id)) return 'people'
  if (all.length === 0) return 'unproved'
  if (here.length === 0 && !ofLibrary.has(id)) return 'elsewhere'
  return deviates === undefined ? 'holds' : 'differs'
}

const words: Readonly<Record<Verdict, string>> = {
  holds: 'holds',
  differs: 'differs',
  people: 'for people to judge',
  elsewhere: 'proved elsewhere',
  unproved: 'unproved',
}

export const wordsOf = (verdict: Verdict): string => words[verdict]

const cell = (text: string): string => text.replaceAll('|', '\\|')

/** The rows of one specification, for its page. */
export const markdownOf = (rows: readonly Row[]): string =>
  [
    '| id | demands | verdict | proved by |',
    '| --- | --- | --- | --- |',
    ...rows.map(({ id, says, verdict, why, proof }) => {
      const judged = why === '' || verdict === 'people' ? words[verdict] : `${words[verdict]}: ${why}`
      return `| ${id} | ${cell(says)} | ${cell(judged)} | ${proof.map((path) => `\`${path}\``).join(' ')} |`
    }),
  ].join('\n')
