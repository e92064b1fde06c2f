/** What a workspace owns, made on demand: one maker for each kind of id that a route can name. */
import type { Kind } from '../../../src/http/kit/route.js'
import type { Host } from '../host.js'

export interface Owner {
  readonly workspace: string
  readonly key: string
  /** Words that stand in everything it owns. */
  readonly canary: string
}

/** One conversation and what belongs to it. */
export interface Estate {
  readonly owner: Owner
  id(kind: Kind): Promise<string>
  remove(): Promise<void>
}

type Maker = (host: Host, owner: Owner, base: Base, id: (kind: Kind) => Promise<string>) => Promise<string>

interface Base {
  readonly path: string
  readonly conversation: string
  readonly question: string
  readonly answer: string
}

/** What stays when its conversation is deleted, for it belongs to none. */
export const lasting: ReadonlySet<Kind> = new Set(['task', 'agent'])

export const makers: Readonly<Record<string, Maker>> = {
  conversation: async (_, __, base) => base.conversation,
  message: async (_, __, base) => base.answer,
  answer: async (_, __, base) => base.answer,
  branch: async (host, { key }, { path, answer }) => {
    const name = `side-${crypto.randomUUID()}`
    await made(host.call('POST', `${path}/fork`, { key, body: { at: answer, branch: name } }))
    return name
  },
  run: async (host, { key }, { path, answer }) => (await answered(host, key, path, answer)).run,
  receipt: async (host, { key }, { path, answer }) => (await answered(host, key, path, answer)).receipt,
  item: async (_, __, { answer }) => `msg_${answer}`,
  response: async (host, { key, canary }, { conversation }) =>
    (await made(host.call('POST', '/v1/responses', { key, body: { conversation, input: canary } }))).id,
  completion: async (host, { key, canary }, { conversation }) => {
    const headers = { 'x-throughline-conversation': conversation }
    const body = { store: true, messages: [{ role: 'user', content: canary }] }
    return (await made(host.call('POST', '/v1/chat/completions', { key, headers, body }))).id
  },
  share: async (host, { key }, { path }) => (await made(host.call('POST', `${path}/shares`, { key, body: {} }))).id,
  blob: async (host, { key, canary }, { path }) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/plain' }
    const answer = await fetch(`${host.url}${path}/blobs`, { method: 'POST', headers, body: canary })
    return ((await answer.json()) as { readonly id: string }).id
  },
  memory: async (host, { key }, { conversation, answer }) => {
    const body = { kind: 'semantic', text: 'kept', conversation_id: conversation, message_id: answer }
    return (await made(host.call('POST', '/api/v1/memories', { key, body }))).id
  },
  task: async (host, { key, canary }) =>
    (await made(host.call('POST', '/api/v1/tasks', { key, body: { description: canary } }))).task_id,
  agent: async (host, owner, _, id) => {
    const path = `/api/v1/tasks/${await id('task')}/agents`
    return (await made(host.call('POST', path, { key: owner.key, body: { agent_type: 'x', prompt: '' } }))).agent_id
  },
  token: async (host, { key }, { path }) => (await made(host.call('POST', `${path}/shares`, { key, body: {} }))).token,
}

export async function settle(host: Host, owner: Owner): Promise<Estate> {
  const { key, canary } = owner
  const body = { title: canary, tags: [canary], folder: canary, system: canary, meta: { canary } }
  const { id: conversation } = await made(host.call('POST', '/api/v1/conversations', { key, body }))
  const path = `/api/v1/conversations/${conversation}`
  const say = async (role: string): Promise<string> => {
    const added = await made(
      host.call('POST', `${path}/messages`, { key, body: { message: { role, content: `${canary} said ${role}` } } }),
    )
    return added.messages[0].id
  }
  const base = { path, conversation, question: await say('user'), answer: await say('assistant') }
  await made(host.call('PUT', `${path}/messages/${base.answer}/rating`, { key, body: { value: 1, note: canary } }))
  const ids = new Map<Kind, Promise<string>>()
  const id = (kind: Kind): Promise<string> => {
    const maker = makers[kind]
    if (!maker) throw new Error(`no maker for the kind ${kind}: the matrix cannot cover its routes`)
    const found = ids.get(kind) ?? maker(host, owner, base, id)
    ids.set(kind, found)
    return found
  }
  return {
    owner,
    id,
    async remove() {
      await Promise.all(ids.values())
      await made(host.call('DELETE', path, { key }))
    },
  }
}

async function answered(host: Host, key: string, path: string, answer: string) {
  const again = await made(host.call('POST', `${path}/messages/${answer}/regenerate`, { key, body: { run: {} } }))
  for (let tries = 0; tries < 200; tries++) {
    const run = await made(host.call('GET', `${path}/runs/${again.run.id}`, { key }))
    if (run.ended_at !== null) return { run: run.id as string, receipt: run.receipt_id as string }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('the run does not end')
}

async function made(call: ReturnType<Host['call']>) {
  const { status, body, text } = await call
  if (status >= 300) throw new Error(`${status}: ${text}`)
  return body
}
