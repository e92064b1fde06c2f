/** What can be done in a talk beside talking. */
import { make } from '../context/make.js'
import { picture } from '../context/picture.js'
import { findBranch, findEntry } from '../history/find.js'
import { forkAt } from '../history/fork.js'
import { presetName } from '../kit/policy.js'
import { put, say } from '../kit/sink.js'
import { paintFor, printable, table, widthOf } from '../kit/term.js'
import type { Talk } from './talk.js'

export type Does = (talk: Talk, rest: string) => Promise<Talk>

interface Slash {
  readonly takes: string
  readonly says: string
  readonly does: Does
}

export const slashes: Readonly<Record<string, Slash>> = {
  context: { takes: '', says: 'the window that the next turn would send', does: context },
  fork: { takes: '[NAME]', says: 'a new branch here; the old one stays', does: fork },
  branch: { takes: '[NAME]', says: 'the branches, or go to one', does: branch },
  undo: { takes: '', says: 'back before your last message, on a branch of its own', does: undo },
  model: { takes: '[ID]', says: 'who answers', does: model },
  policy: { takes: '[NAME]', says: 'how the window is made', does: policy },
  help: { takes: '', says: 'this', does: help },
}

async function help(talk: Talk): Promise<Talk> {
  const rows = Object.entries(slashes).map(([name, { takes, says }]) => [`/${name} ${takes}`, says])
  say(table([...rows, ['/exit', 'leave; Ctrl-C stops an answer']]).join('\n'))
  return talk
}

async function context(talk: Talk): Promise<Talk> {
  const { desk, branch, manner } = talk
  const made = await make(desk, await begun(talk), { ...manner, branch })
  await put(`${picture(made, widthOf(process.stdout), paintFor(process.stdout), false)}\n`)
  return talk
}

async function fork(talk: Talk, name: string): Promise<Talk> {
  const { desk, branch } = talk
  const { id } = await begun(talk)
  const made = await forkAt(desk, id, await findEntry(desk, id, '@last', branch), name || undefined)
  return { ...talk, branch: made.name }
}

async function branch(talk: Talk, name: string): Promise<Talk> {
  const { desk } = talk
  const { id } = await begun(talk)
  if (name !== '') return { ...talk, branch: (await findBranch(desk, id, name)).name }
  for (const one of await desk.store.branches(desk.workspace, id))
    say(`${one.name === talk.branch ? '*' : ' '} ${printable(one.name)}`)
  return talk
}

async function undo(talk: Talk): Promise<Talk> {
  const { desk, branch: from } = talk
  const { id } = await begun(talk)
  const { head } = await findBranch(desk, id, from)
  const path = head === null ? [] : await desk.store.path(desk.workspace, id, head)
  const at = path.findLastIndex(({ body }) => body.kind === 'message' && body.role === 'user')
  if (at < 0) throw new Error('there is nothing to undo')
  const made = await forkAt(desk, id, path[at - 1] ?? null)
  say(`back before “${printable(path[at]?.text ?? '').slice(0, 60)}”; /branch ${from} brings it back`)
  return { ...talk, branch: made.name }
}

async function model(talk: Talk, name: string): Promise<Talk> {
  const { models, manner } = talk
  if (name !== '') {
    const answers = await models.find(name)
    return { ...talk, answers, manner: { ...manner, model: answers.id } }
  }
  for (const { id, ready, note } of await models.list())
    if (ready) say(`${id === talk.answers.id ? '*' : ' '} ${id}${note === undefined ? '' : `  ${note}`}`)
  return talk
}

async function policy(talk: Talk, name: string): Promise<Talk> {
  if (name !== '') return { ...talk, manner: { ...talk.manner, policy: presetName(name) } }
  say(`${talk.manner.policy ?? talk.desk.settled.config.policy}; throughline policies list has them all`)
  return talk
}

async function begun({ desk, id, begun }: Talk) {
  const found = begun ? await desk.store.get(desk.workspace, id) : null
  if (!found) throw new Error('nothing was said yet')
  return found
}
