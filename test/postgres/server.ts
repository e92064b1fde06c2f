/** A real PostgreSQL in a temporary folder, on a free port of the loopback device. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Server {
  /** As the superuser of the server. */
  readonly url: string
  readonly pid: number
  /** Like `pg_ctl restart -m immediate`: a crash, then recovery. */
  restart(): Promise<void>
  stop(): Promise<void>
}

type Answer = { readonly url: string; readonly pid: number } | { readonly failed: string }

/** `settings` as in `fsync=off`. Rejects with the reason when there can be no server. */
export async function startServer(settings: readonly string[] = []): Promise<Server> {
  const keeper = spawn(process.execPath, [fileURLToPath(new URL('./keeper.mjs', import.meta.url)), ...settings], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  let complaint = ''
  keeper.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  keeper.stdin.on('error', () => {})
  const gone = new Promise<void>((resolve) => keeper.once('exit', () => resolve()))
  const answers = createInterface({ input: keeper.stdout })[Symbol.asyncIterator]()

  const stop = async () => {
    keeper.stdin.end()
    await gone
  }
  const answer = async () => {
    const { value, done } = await answers.next()
    const said: Answer = done ? { failed: complaint || 'the keeper of the server ended' } : JSON.parse(value)
    if ('url' in said) return said
    await stop()
    throw new Error(said.failed)
  }

  const { url, pid } = await answer()
  return {
    url,
    pid,
    async restart() {
      keeper.stdin.write('restart\n')
      await answer()
    },
    stop,
  }
}
