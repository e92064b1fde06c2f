/** Every payload in every place of a conversation that someone else may have written. */
import type { Host } from '../../http/host.js'

export const manyId = 'payloads'

const must = async (host: Host, method: string, path: string, body: unknown): Promise<unknown> => {
  const answer = await host.call(method, path, { body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

/** One conversation: for each payload a user's message with files, and an answer with reasoning and a tool call. */
export async function seedMessages(host: Host, payloads: readonly string[]): Promise<void> {
  await must(host, 'POST', '/api/v1/conversations', { id: manyId, title: 'Payloads' })
  const messages = payloads.flatMap((payload, n) => [
    {
      role: 'user',
      name: nameOf(payload),
      parts: [
        { type: 'text', text: payload },
        file(payload, 'text/plain', { kind: 'text', text: payload }),
        file(payload, 'image/svg+xml', { kind: 'data', base64: btoa('<svg onload="parent.fired(-1)"/>') }),
        file(payload, 'image/png', { kind: 'url', url: `http://attacker.invalid/${n}.png` }),
        { type: 'file', mediaType: `image/png,${payload}`, source: { kind: 'data', base64: `"${payload}` } },
      ],
    },
    {
      role: 'assistant',
      parts: [
        { type: 'think', text: payload },
        { type: 'text', text: payload },
        {
          type: 'call',
          id: `call-${n}`,
          name: payload,
          input: { [payload]: payload },
          outcome: { state: n % 2 === 0 ? 'ok' : 'error', output: [{ type: 'text', text: payload }] },
        },
      ],
    },
  ])
  for (let at = 0; at < messages.length; at += 100)
    await must(host, 'POST', `/api/v1/conversations/${manyId}/messages`, { messages: messages.slice(at, at + 100) })
}

const file = (name: string, mediaType: string, source: object) => ({ type: 'file', name, mediaType, source })

/** Each payload as a title, as a folder and tag, and as words that one search finds ten of. */
export async function seedTitles(host: Host, payloads: readonly string[]): Promise<void> {
  await each(payloads, async (title, n) => {
    const id = `t${n}`
    await must(host, 'POST', '/api/v1/conversations', { id, title, folder: nameOf(title), tags: [title.slice(0, 90)] })
    await must(host, 'POST', `/api/v1/conversations/${id}/messages`, { message: `${tokenOf(n)} ${title}` })
  })
}

/** The word that finds the messages of a batch. */
export const tokenOf = (n: number): string => `batch${String(Math.floor(n / 10)).padStart(2, '0')}q`

/** Each payload as the name of a branch. */
export async function seedBranches(host: Host, payloads: readonly string[]): Promise<void> {
  const { head_id } = (await must(host, 'POST', `/api/v1/conversations`, { id: 'branches', title: 'Branches' }).then(
    () => must(host, 'POST', '/api/v1/conversations/branches/messages', { message: 'Root' }),
  )) as { readonly head_id: string }
  await each(payloads, (payload, n) =>
    must(host, 'PUT', `/api/v1/conversations/branches/branches/${encodeURIComponent(branchOf(payload, n))}`, {
      head_id,
      expect: null,
    }),
  )
}

async function each(all: readonly string[], work: (one: string, n: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < all.length; at += 20)
    await Promise.all(all.slice(at, at + 20).map((one, more) => work(one, at + more)))
}

/** Some payloads are the same but for what is around them: a number keeps them apart. */
export const branchOf = (payload: string, n: number): string => nameOf(`${payload} ${n}`, `${n}`)

const nameOf = (payload: string, end = ''): string =>
  payload.length <= 200 ? payload : payload.slice(0, 200 - end.length) + end
