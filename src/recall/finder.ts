/** Finds messages by their words, by their meaning, or by both; what is new is taken in first. */
import type { Issue } from '../core/message/issue.js'
import type { Page } from '../store/contract/page.js'
import type { Hit, SearchQuery } from '../store/contract/search.js'
import type { Store } from '../store/contract/store.js'
import { refusal } from '../store/shared/refuse.js'
import { type Embedder, versionOf } from './embedder.js'
import { createIntake } from './intake.js'
import { tableEmbedder } from './table.js'
import { tellingIn } from './words.js'

export const modes = ['keyword', 'semantic', 'hybrid'] as const
/** By the words, by the meaning, or by both. */
export type FindMode = (typeof modes)[number]

/** What to find, and how. */
export interface FindQuery extends Omit<SearchQuery, 'near'> {
  /** `keyword` unless said otherwise. */
  readonly mode?: FindMode
}

/** Hits, best first. */
export interface Found extends Page<Hit> {
  /** Why there may be more, or better. */
  readonly warnings: readonly Issue[]
}

/** Finds messages in a whole workspace. */
export interface Finder {
  find(store: Store, workspace: string, query: FindQuery): Promise<Found>
  /** Gives every message a vector that has none; told how many, now and then. Nothing without an embedder. */
  embed(store: Store, workspace: string, told?: (count: number) => void): Promise<void>
}

/** What a search by meaning uses. */
export interface FinderOptions {
  /** Left out, the table that comes with the package; null for words alone. */
  readonly embedder?: Embedder | null
  /** So many messages are taken in at most before a search is answered. */
  readonly most?: number
}

/** The cosine from which on a message is shown: what is farther away has little to do with the question. */
const least = 0.25

/** Search by words, by meaning or by both. @example await createFinder().find(store, 'default', { text: 'hotel', mode: 'hybrid', limit: 10 }) */
export function createFinder({ embedder: given, most = 20_000 }: FinderOptions = {}): Finder {
  const embedderOf = async (): Promise<Embedder | null> => (given === undefined ? tableEmbedder() : given)
  const intake = createIntake()

  return {
    async find(store, workspace, { mode = 'keyword', ...query }) {
      await checkBranch(store, workspace, query)
      if (mode === 'keyword') return { ...(await store.search(workspace, query)), warnings: [] }
      const isWords = query.cursor?.startsWith(mark) ?? false
      const asked = isWords ? { issue: lexical('so was the page before') } : await meantBy(query.text, embedderOf)
      if ('issue' in asked) return byWords(store, workspace, query, asked.issue)
      const { embedder, vector } = asked
      const model = versionOf(embedder, vector)
      const warnings = await intake({ store, workspace, model, embedder, most }).then(
        ({ isWhole }) => (isWhole ? [] : [partial]),
        (error: unknown) => [behind(error)],
      )
      const by = mode === 'semantic' ? 'meaning' : 'both'
      return { ...(await store.search(workspace, { ...query, near: { model, vector, by, least } })), warnings }
    },

    async embed(store, workspace, told = () => {}) {
      const embedder = await embedderOf()
      if (!embedder) return
      const [probe = new Float32Array()] = await embedder.embed(['throughline'])
      const model = versionOf(embedder, probe)
      await intake({ store, workspace, model, embedder, most: Number.POSITIVE_INFINITY, told })
    },
  }
}

type Meant = { readonly embedder: Embedder; readonly vector: Float32Array } | { readonly issue: Issue }

async function meantBy(text: string, embedderOf: () => Promise<Embedder | null>): Promise<Meant> {
  try {
    const embedder = await embedderOf()
    if (!embedder) return { issue: lexical('no embedder is wanted') }
    const [vector] = await embedder.embed([(embedder.kin && tellingIn(text)) || text])
    return vector ? { embedder, vector } : { issue: lexical('the embedder gave no vector') }
  } catch (error) {
    return { issue: lexical(messageOf(error)) }
  }
}

/** Begins the cursor of a page that had to do without meaning: the next one goes on so. No other cursor has a dot. */
const mark = 'words.'

async function byWords(store: Store, workspace: string, query: SearchQuery, issue: Issue): Promise<Found> {
  const { cursor, ...rest } = query
  if (cursor !== undefined && !cursor.startsWith(mark)) throw refusal('unavailable', issue.message, { field: 'mode' })
  const place = cursor === undefined ? null : { cursor: cursor.slice(mark.length) }
  const page = await store.search(workspace, { ...rest, ...place })
  return { items: page.items, cursor: page.cursor && mark + page.cursor, warnings: [issue] }
}

async function checkBranch(store: Store, workspace: string, { conversation, branch }: SearchQuery): Promise<void> {
  if (branch === undefined || conversation === undefined) return
  const known = await store.branches(workspace, conversation)
  if (!known.some(({ name }) => name === branch))
    throw refusal('not_found', 'there is no such branch', { field: 'branch', value: branch })
}

const issueOf = (code: Issue['code'], message: string): Issue => ({ code, field: 'mode', message })
const lexical = (why: string): Issue =>
  issueOf('search.lexical', `messages were looked for by their words alone: ${why}`)
const partial = issueOf(
  'search.partial',
  'not all messages have been taken in yet: the next search goes on, and throughline reindex does it at once',
)
const behind = (error: unknown): Issue =>
  issueOf('search.behind', `the newest messages may not be found by meaning: ${messageOf(error)}`)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
