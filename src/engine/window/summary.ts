/** The summary that stands for the beginning of a path: the newest that is neither excluded nor removed. */
import { plainText } from '../../core/window/mend/plain.js'
import type { Summary } from '../../core/window/summary.js'
import type { Stretch } from '../../store/contract/append.js'
import type { Entry } from '../../store/contract/entry.js'
import type { Source } from './window.js'

export async function summaryOn(
  { store, workspace, conversation }: Source,
  { head, entries, summary }: Stretch,
  excluded: ReadonlySet<string>,
): Promise<Summary | null> {
  if (!head || head.summary === null) return null
  const known = new Map([...entries, ...(summary ? [summary] : [])].map((entry) => [entry.id, entry]))
  const find = async (id: string | null): Promise<Entry | null> =>
    id === null ? null : (known.get(id) ?? (await store.entry(workspace, conversation, id)))
  let entry = await find(head.summary)
  while (entry?.body.kind === 'summary') {
    const until = entry.redacted || excluded.has(entry.id) ? null : await find(entry.body.until)
    if (until) return summaryIn(entry, until.id)
    entry = await find((await find(entry.parent))?.summary ?? null)
  }
  return null
}

export const summaryIn = ({ id, body }: Entry, until: string): Summary => ({
  id,
  text: body.kind === 'summary' ? plainText({ role: 'assistant', parts: body.parts }, 'drop') : '',
  until,
})
