/** An agent with the reference filesystem server, whose service is killed at a request to the model or in the middle of a call. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { build, desk } from '../../src/cli/cli.fixture.js'
import { type Served, served } from '../../src/cli/serve/serve.fixture.js'
import { check } from '../../src/core/rules/check.js'
import type { Answer } from '../provider/answer.js'
import { type Recorded, startProvider } from '../provider/server.js'
import { filesystem } from './filesystem.fixture.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
type Data = any

/** `kills`: the steps at whose request the service dies; from 1. */
export async function survives(steps: number, kills: ReadonlySet<number>): Promise<void> {
  await build()
  const files = filesystem()
  const { folder } = desk()
  const left = new Set(kills)
  let server: Served | null = null
  const provider = await startProvider({ models: ['llama3.2'], answer: (request) => answer(request) })
  /** Each number is asked for once, whatever became of it. */
  const answer = (request: Recorded): Answer => {
    if (JSON.stringify(request.body).includes('Is it done?')) return { text: `All ${steps} are written.` }
    const made = callsIn(request.body)
    if (left.delete(made + 1)) process.kill((server as Served).pid, 'SIGKILL')
    if (made >= steps) return { text: `All ${steps} are written.` }
    const path = join(files.folder, `${made + 1}.txt`)
    return { calls: [{ id: `call_${made + 1}`, name: 'files__write_file', input: { path, content: `${made + 1}` } }] }
  }
  const config = join(folder, 'agent.json')
  const settings = {
    db: join(folder, 'agent.db'),
    model: 'lab/llama3.2',
    providers: { lab: { url: `${provider.url}/v1`, models: ['llama3.2'] } },
    tool_servers: { files: { ...files.command, approval: 'always' } },
    run_lease_seconds: 2,
    titles: 'words',
  }
  writeFileSync(config, JSON.stringify(settings))
  const up = async (): Promise<Served> => served(['--config', config])
  const call = async (method: string, path: string, body?: unknown): Promise<Data> => {
    const response = await fetch(`${(server as Served).url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return response.status === 204 ? null : response.json()
  }
  server = await up()
  try {
    const one = '/api/v1/conversations/agent'
    await call('POST', '/api/v1/conversations', { id: 'agent' })
    let run: Data = (await call('POST', `${one}/runs`, { message: `Write ${steps} files.` })).run
    for (;;) {
      const ended = await Promise.race([
        endOf(() => call('GET', `${one}/runs/${run.id}`)),
        server.ended.then(() => null),
      ])
      if (ended?.state === 'done') break
      if (ended === null) server = await up()
      await expect
        .poll(async () => (await call('GET', `${one}/runs/${run.id}`)).state, { timeout: 20_000 })
        .toBe('interrupted')
      run = (await call('POST', `${one}/runs/${run.id}/resume`)).run
    }
    const next = await call('POST', '/chat', { session_id: 'agent', message: 'Is it done?' })
    expect(next.response).toBe(`All ${steps} are written.`)
    const ran = files.calls().map(({ content }) => content as string)
    expect(new Set(ran).size, 'no call is run twice').toBe(ran.length)
    const exported = await call('GET', `${one}/messages?limit=100`)
    const results = (exported.items as Data[]).filter(({ kind }) => kind === 'result')
    expect(results).toHaveLength(steps)
    const unknown = results.filter((result) => JSON.stringify(result).includes('not known'))
    // what is not known to have run may have run; all else did
    expect(ran.length).toBeGreaterThanOrEqual(steps - unknown.length)
    expect(provider.requests.flatMap(({ body }) => check('openai-chat', body))).toEqual([])
    expect(await call('GET', `${one}/verify`)).toMatchObject({ ok: true })
    expect(left.size, 'every kill took place').toBe(0)
  } finally {
    await server.stop()
    await provider.close()
  }
}

async function endOf(look: () => Promise<Data>): Promise<Data> {
  for (;;) {
    const run = await look().catch(() => null)
    if (run && run.ended_at !== null) return run
    if (run === null) return new Promise(() => {})
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const callsIn = (body: unknown): number =>
  ((body as Data).messages as Data[]).flatMap(({ tool_calls }) => tool_calls ?? []).length
