/** A real PostgreSQL in a temporary folder, on a free port of the loopback device. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Server {
  /** As the superuser of the server. */
  readonly url: string
  readonly pid: number
  /** Where its data is. */
  readonly folder: string
  /** Like `pg_ctl restart -m immediate`: a crash, then recovery. */
  restart(): Promise<void>
  /** Like `pg_ctl stop -m immediate`, without a way back. */
  crash(): Promise<void>
  stop(): Promise<void>
}

type Up = Pick<Server, 'url' | 'pid' | 'folder'>
type Answer = Up | { readonly crashed: true } | { readonly failed: string }

/** `settings` as in `fsync=off`, and first `standby=FOLDER URL` for one that follows another. Rejects with the reason when there can be no server. */
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
    if (!('failed' in said)) return said
    await stop()
    throw new Error(said.failed)
  }

  const { url, pid, folder } = (await answer()) as Up
  return {
    url,
    pid,
    folder,
    async crash() {
      keeper.stdin.write('crash\n')
      await answer()
    },
    async restart() {
      keeper.stdin.write('restart\n')
      await answer()
    },
    stop,
  }
}
