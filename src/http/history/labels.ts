/** The folders and tags that conversations stand under. */
import { z } from 'zod'
import type { Store } from '../../store/contract.js'
import { type Route, route } from '../route.js'

const label = z.object({ name: z.string(), conversations: z.int() })

export const labelRoutes: readonly Route[] = [
  route({
    name: 'listLabels',
    method: 'get',
    path: '/api/v1/labels',
    tag: 'conversations',
    summary: 'The folders and tags in use, by name, and how many conversations have them',
    scope: 'read',
    owned: {},
    query: z.strictObject({ archived: z.boolean().optional() }),
    answers: {
      200: z
        .object({
          folders: z.array(label),
          tags: z.array(label),
          whole: z.boolean().describe('False where there were too many conversations to look at all of them'),
        })
        .meta({ id: 'Labels' }),
    },
    handle: ({ frame, workspace, query }) => labelsOf(frame.store, workspace, query),
  }),
]

/** So many pages of a hundred conversations are looked at. */
const mostPages = 100

async function labelsOf(store: Store, workspace: string, { archived }: { readonly archived?: boolean | undefined }) {
  const folders = new Map<string, number>()
  const tags = new Map<string, number>()
  const add = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  let cursor: string | null | undefined
  for (let page = 0; page < mostPages && cursor !== null; page++) {
    const filter = { limit: 100, ...(archived === undefined ? null : { archived }), ...(cursor && { cursor }) }
    const found = await store.list(workspace, filter)
    for (const one of found.items) {
      if (one.folder !== null) add(folders, one.folder)
      for (const tag of one.tags) add(tags, tag)
    }
    cursor = found.cursor
  }
  return { folders: sorted(folders), tags: sorted(tags), whole: cursor === null }
}

const sorted = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .map(([name, conversations]) => ({ name, conversations }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
