/** Long statements on a connection and in a thread of their own: the loop goes on meanwhile. */
import { Worker } from 'node:worker_threads'
import { engineName } from './driver.js'

/** Waits for locks, as no one waits for this thread. */
const code = `
const { createRequire } = require('node:module')
const { parentPort, workerData } = require('node:worker_threads')
const { engine, from, file, statements } = workerData
const sqlite = engine === 'node:sqlite' ? process.getBuiltinModule(engine) : createRequire(from)(engine)
try {
  const db = new sqlite.DatabaseSync(file)
  try {
    db.exec('pragma busy_timeout = 30000; pragma synchronous = full; pragma secure_delete = on')
    for (const statement of statements) db.exec(statement)
  } finally {
    db.close()
  }
  parentPort.postMessage(null)
} catch ({ message, code, errcode }) {
  parentPort.postMessage({ message, code, errcode })
}`

export async function aside(file: string, statements: readonly string[]): Promise<void> {
  const workerData = { engine: await engineName(), from: import.meta.url, file, statements }
  const worker = new Worker(code, { eval: true, workerData, execArgv: ['--no-warnings'] })
  const failure = await new Promise<{ readonly message: string } | null>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread ended before its work did')))
  }).finally(() => worker.terminate())
  if (failure) throw Object.assign(new Error(failure.message), failure)
}
