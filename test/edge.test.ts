/** The engine, the store in memory, recall and the agent where there is no Node: bundled for a browser, run with the web's globals alone. */
import { isBuiltin } from 'node:module'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const program = `
  import { assemble } from './src/index.ts'
  import { openHistory } from './src/engine/index.ts'
  import { memoryStore } from './src/store/index.ts'
  import { openAgent } from './src/runs/agent/index.ts'
  export const run = async () => {
    const history = await openHistory({ store: memoryStore(), system: 'Be brief.' })
    for (let i = 0; i < 40; i++) await history.append([
      { role: 'user', content: 'Question ' + i + ' ' + 'word '.repeat(40) },
      { role: 'assistant', content: 'Answer ' + i },
    ], { key: 'k' + i })
    const made = await history.window({ target: 'anthropic', budget: 2_000 })
    const page = await memoryStore().list('w', { limit: 1 })
    const { ok } = await history.verify()
    return { ok, made: made.ok && made.receipt.totals.dropped > 0, hash: made.ok && made.receipt.wire.hash,
      page: page.items.length, agent: typeof openAgent, loose: assemble([{ role: 'user', content: 'Hello' }]).ok,
      node: typeof process + typeof Buffer }
  }`

test('engine, memory store and agent need nothing of Node, and say the same without it', async () => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    format: 'iife',
    globalName: 'edge',
    platform: 'browser',
    target: 'es2022',
    external: ['gpt-tokenizer/*'],
    // as in workerd, where a bundle has no address
    define: { 'import.meta.url': 'undefined' },
    logLevel: 'silent',
  })
  const reached = Object.entries(metafile.inputs).flatMap(([path, input]) =>
    input.imports.filter((found) => isBuiltin(found.path)).map((found) => `${path} imports ${found.path}`),
  )
  expect(reached).toEqual([])
  const web = {
    TextEncoder,
    TextDecoder,
    URL,
    crypto,
    structuredClone,
    performance,
    setTimeout,
    clearTimeout,
    queueMicrotask,
    AbortSignal,
    AbortController,
    atob,
    btoa,
    console,
  }
  const context = createContext({ ...web })
  runInContext(outputFiles[0]?.text ?? '', context)
  const bare = await runInContext('edge.run()', context)
  expect(bare).toMatchObject({ ok: true, made: true, agent: 'function', loose: true, node: 'undefinedundefined' })
  const whole = createContext({ ...web, process, Buffer })
  runInContext(outputFiles[0]?.text ?? '', whole)
  expect(await runInContext('edge.run()', whole)).toEqual({ ...bare, node: 'objectfunction' })
})
