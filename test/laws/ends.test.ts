/** Every window is built in the end: a summary, marks and what is recalled anywhere, under any budget. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runs, seed } from '../runs.js'
import type { Work } from './ends.worker.js'

/** A window takes milliseconds; a seed that takes so long has one that does not end. */
const patience = 60_000

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-ends-'))
  await build({
    entryPoints: [join(import.meta.dirname, 'ends.worker.ts')],
    outfile: join(folder, 'worker.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['gpt-tokenizer'],
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The cell says this until the worker has loaded, which takes as long as the machine is busy. */
const starting = -1

/** The seed that did not end, or null. A worker that loops answers nobody, so it is watched from here. */
async function stuck(work: Omit<Work, 'cell'>, wait: number): Promise<number | null> {
  const cell = new SharedArrayBuffer(4)
  const now = new Int32Array(cell).fill(starting)
  const worker = new Worker(join(folder, 'worker.mjs'), { workerData: { ...work, cell } satisfies Work })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise((resolve, reject) => {
      let [last, since] = [-1, Date.now()]
      timer = setInterval(() => {
        const seed = Atomics.load(now, 0)
        if (seed === starting || seed !== last) [last, since] = [seed, Date.now()]
        else if (Date.now() - since > wait) resolve(seed)
      }, 50)
      worker.once('error', (error) => reject(new Error(`seed ${Atomics.load(now, 0)}`, { cause: error })))
      worker.once('exit', () => resolve(Atomics.load(now, 0) === work.to ? null : Atomics.load(now, 0)))
    })
  } finally {
    clearInterval(timer)
    await worker.terminate()
  }
}

test('every window of a branch ends, whatever is summarised, marked or recalled [P-19]', async () => {
  const from = seed
  expect(await stuck({ from, to: from + Math.ceil(runs / 10), endless: null }, patience)).toBe(null)
}, 600_000)

test('a window that does not end is found, with its seed', async () => {
  // the first of them: one that does end may take as long on a machine that others use, too
  expect(await stuck({ from: 1, to: 3, endless: 1 }, 2_000)).toBe(1)
})
