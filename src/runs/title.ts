/** The title of a conversation: the first words of its first message at once, better ones when a model is there. */
import { assemble } from '../core/window/assemble.js'
import type { Source } from '../engine/window/window.js'
import type { Model } from '../models/wire/contract.js'
import type { Entry } from '../store/contract/entry.js'

const most = 60

export function titleOf(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0]?.replace(/\s+/g, ' ').trim() ?? ''
  const points = [...line]
  if (points.length <= most) return line
  const cut = points.slice(0, most).join('')
  const space = cut.lastIndexOf(' ')
  return `${(space > most / 2 ? cut.slice(0, space) : cut).replace(/[\s,.;:!?-]+$/, '')}…`
}

/** Gives the conversation its first title; one that it has stays. */
export const entitle = (source: Source, { text }: Entry, at: string): Promise<void> =>
  rename(source, '', titleOf(text), at)

/** How long a model may think about a title. */
const patienceMs = 20_000

/** Asks the model for a better title; if that fails, or someone gave one meanwhile, the one there is stays. */
export async function retitle(source: Source, model: Model, { text }: Entry, at: string): Promise<void> {
  if (model.kind === 'builtin') return
  const current = `Give this conversation a title of at most six words. Answer with the title alone.\n\n${text.slice(0, 2_000)}`
  const made = assemble({ current }, 'balanced', { target: model.target, model: model.id })
  if (!made.ok) return
  const signal = AbortSignal.timeout(patienceMs)
  let title = ''
  for await (const event of model.stream({ window: made.window, items: made.items, output: 64, signal }))
    if (event.type === 'text') title += event.text
  await rename(source, titleOf(text), titleOf(title.replace(/^["'“«\s]+|["'”».\s]+$/g, '')), at)
}

async function rename({ store, workspace, conversation }: Source, from: string, to: string, at: string): Promise<void> {
  const found = await store.get(workspace, conversation)
  if (found?.title !== from || to === '' || to === from) return
  await store.update(workspace, conversation, { title: to, at })
  const events = [{ type: 'conversation-changed', data: { title: to } }]
  await store.commit(workspace, conversation, [{ do: 'emit', events, at }])
}
