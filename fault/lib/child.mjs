// Processes that write, each with what it has said so far.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const worker = fileURLToPath(new URL('../worker.mjs', import.meta.url))
const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** `under` is a command that the worker runs under, such as strace; `env` is added to its environment. */
export function startWorker(job, under = [], env = {}) {
  const [command, ...args] = [...under, process.execPath, '--no-warnings', worker, JSON.stringify(job)]
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  running.add(child)
  child.stdin.on('error', () => {})
  const said = []
  let complaint = ''
  let wake = () => {}
  createInterface({ input: child.stdout }).on('line', (line) => {
    const word = parsed(line)
    if (word) said.push(word)
    wake()
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    complaint += chunk
  })
  const ended = new Promise((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child)
      resolve({ code, signal, complaint })
      wake()
    })
  })
  return {
    child,
    said,
    ended,
    /** Waits for a word of this kind, or for the end of the process. */
    async heard(kind) {
      let isOver = false
      ended.then(() => {
        isOver = true
      })
      while (!isOver && !said.some((word) => word[0] === kind))
        await new Promise((resolve) => {
          wake = resolve
        })
    },
  }
}

/** The last line of a process that was killed may be cut. */
function parsed(line) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The words of workers as a history for the audit. */
export function historyOf(words) {
  const history = { acks: [], tried: new Map(), refused: [], reads: [], errors: {}, faults: [] }
  for (const [kind, ...rest] of words) {
    if (kind === 'sent') history.tried.set(rest[0], rest[1])
    if (kind === 'ack') history.acks.push({ id: rest[0], seq: rest[1], start: rest[2], end: rest[3] })
    if (kind === 'refused') history.refused.push(rest[0])
    if (kind === 'read')
      history.reads.push({ after: rest[0], ids: rest[1], whole: rest[2], start: rest[3], end: rest[4] })
    if (kind === 'error') history.errors[rest[1]] = (history.errors[rest[1]] ?? 0) + 1
    if (kind === 'fault') history.faults.push(rest[0])
  }
  return history
}
