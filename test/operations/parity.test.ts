/** Every operation by every door: the same call gives the same JSON, and a bad call the same code. Driven by the list. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { callOperation, notCalled } from '../../src/cli/call.js'
import { desk } from '../../src/cli/cli.fixture.js'
import { reading } from '../../src/cli/kit/desk.js'
import { modelsOf } from '../../src/cli/kit/models.js'
import { HistoryError } from '../../src/core/message/issue.js'
import type { Receipt } from '../../src/core/receipt/receipt.js'
import { openHistory } from '../../src/engine/history.js'
import type { RouteFacts } from '../../src/http/kit/route.js'
import { runRoutes } from '../../src/http/live/run-routes.js'
import { notExposed, operationRoutes } from '../../src/http/operations.js'
import type { McpTool } from '../../src/mcp/kit/tool.js'
import { mcpContext } from '../../src/mcp/mcp.js'
import { call } from '../../src/mcp/server.js'
import { mcpTools, notTools } from '../../src/mcp/tools/tools.js'
import { operations } from '../../src/operations/list.js'
import { addMemory } from '../../src/operations/memories.js'
import type { Operation, OwnedKind } from '../../src/operations/operation.js'
import { perform } from '../../src/operations/perform.js'
import { type ImportReportShape, importConversations } from '../../src/operations/transfer.js'
import { assembleWindow } from '../../src/operations/windows.js'
import type { Store } from '../../src/store/contract/store.js'
import { sqliteStore } from '../../src/store/sqlite/store.js'
import { openTasks } from '../../src/tasks/tasks.js'
import { builtinModels, type Host, startService } from '../http/host.js'
import { root } from '../lib/tree.js'
import { contextFor } from './context.fixture.js'

type Given = Readonly<Record<string, unknown>>
type Ids = Partial<Readonly<Record<OwnedKind, string>>>
type Answered = { readonly code: string } | { readonly output: unknown }

const routes = new Map(
  [...operationRoutes, ...runRoutes].flatMap((route) => (route.operation ? [[route.operation.name, route]] : [])),
)
const toolOf = (operation: Operation) => mcpTools.find((tool) => tool.operation === operation)

describe('doors', () => {
  test('every file of operations is in the list', () => {
    const folder = join(root, 'src', 'operations')
    const defined = readdirSync(folder)
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.') && file !== 'operation.ts')
      .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/^ {2}name: '(\w+\.\w+)',$/gm)])
      .map(([, name]) => name)
    expect(operations.map(({ name }) => name).sort()).toEqual(defined.sort())
    expect(new Set(defined).size).toBe(defined.length)
  })

  test('every operation has a route, a tool or a reason, and a call or a reason', () => {
    const without = operations.filter(({ name }) => !routes.has(name)).map(({ name }) => name)
    expect(Object.keys(notExposed)).toEqual(without)
    const untold = operations.filter((operation) => !toolOf(operation)).map(({ name }) => name)
    expect(Object.keys(notTools).sort()).toEqual(untold.sort())
    for (const name of Object.keys(notCalled))
      expect(
        operations.some((one) => one.name === name),
        name,
      ).toBe(true)
  })

  test('a tool shows the fields of its operation, but for these', () => {
    const more: Record<string, unknown> = {}
    for (const { name, operation, output } of mcpTools) {
      const own = 'shape' in operation.output ? Object.keys(operation.output.shape as object) : []
      const shown = Object.keys(output.shape)
      const adds = shown.filter((field) => !own.includes(field))
      const leaves = own.filter((field) => !shown.includes(field))
      if (adds.length + leaves.length > 0) more[name] = { adds, leaves }
    }
    expect(more).toEqual({
      // specification 0's own word
      create_real_task: { adds: ['success'], leaves: [] },
      deploy_headless_agent: { adds: ['success'], leaves: [] },
      kill_real_agent: { adds: ['success'], leaves: [] },
      update_agent_progress: { adds: ['success'], leaves: [] },
      report_agent_finding: { adds: ['success'], leaves: [] },
      spawn_child_agent: { adds: ['success'], leaves: [] },
      // the report alone, and the shortest of it
      conversation_import: { adds: ['dry_run', 'conversations', 'messages', 'left_out'], leaves: [] },
      // what did not fit
      get_real_task_status: { adds: ['left_out'], leaves: [] },
      get_agent_output: { adds: ['truncated'], leaves: [] },
      // the fate of every message would fill the context that the window is for
      context_assemble: {
        adds: ['truncated', 'totals', 'numbers', 'missing'],
        leaves: ['items', 'receipt', 'head_id'],
      },
    })
  })
})

interface Door {
  readonly name: string
  readonly ids: Ids
  readonly store: Store
  ask(operation: Operation, given: Given): Promise<Answered>
}

/** The same in each database, but for what is made up. */
async function filled(file: string): Promise<{ readonly store: Store; readonly ids: Ids }> {
  const store = await sqliteStore(file)
  let minute = 0
  const env = { now: () => new Date(Date.UTC(2026, 2, 1, 10, minute++)).toISOString(), id: () => `id-${minute++}` }
  const history = await openHistory({ store, conversation: 'tea', title: 'Tea', env })
  for (const [i, content] of ['Which tea?', 'Green tea.', 'Where from?', 'From Japan.'].entries())
    await history.append({ id: `tea-${i + 1}`, role: i % 2 === 0 ? 'user' : 'assistant', content })
  await history.fork('tea-2', 'cheaper')
  const { task } = await openTasks({ store, workspace: 'default' }).register({ description: 'Compare prices' })
  const context = contextFor({ store, models: builtinModels })
  const memory = await addMemory.run(context, { text: 'Prefers green tea.', kind: 'profile' })
  const { receipt } = await assembleWindow.run(context, { conversation_id: 'tea', branch: 'main' })
  const kept = await history.keep(receipt as Receipt)
  return {
    store,
    ids: {
      memory: memory.id,
      receipt: kept,
      conversation: 'tea',
      message: 'tea-3',
      answer: 'tea-2',
      branch: 'cheaper',
      task: task.id,
    },
  }
}

let host: Host
let doors: readonly Door[]
beforeAll(async () => {
  const { folder } = desk()
  const [http, mcp, cli] = await Promise.all(['http', 'mcp', 'cli'].map((name) => filled(join(folder, `${name}.db`))))
  if (!http || !mcp || !cli) throw new Error('three databases are needed')
  // the settings of this process, as the CLI reads them, for every door
  const models = await reading({ db: join(folder, 'cli.db') }, async (opened) => modelsOf(opened))
  host = await startService({ store: http.store, models })
  const context = mcpContext({
    store: mcp.store,
    tasks: openTasks({ store: mcp.store, workspace: 'default' }),
    models,
    scope: 'operator',
  })
  doors = [
    { name: 'HTTP', ...http, ask: overHttp },
    {
      name: 'MCP',
      ...mcp,
      // without a tool the state goes along all the same
      ask: async (operation, given) => {
        const tool = toolOf(operation)
        if (!tool) return caught(async () => whole(perform(operation, context, given)))
        const { isError, structuredContent, _meta } = await call(tool, given, context)
        if (isError) return { code: codeIn(_meta?.['throughline/error']) }
        return { output: structuredContent }
      },
    },
    {
      name: 'CLI',
      ...cli,
      ask: (operation, given) =>
        caught(async () => {
          const written: string[] = []
          const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
            written.push(String(text))
            return true
          })
          try {
            await callOperation({ _: [operation.name, JSON.stringify(given)], db: join(folder, 'cli.db') })
          } finally {
            spy.mockRestore()
          }
          return parsed(written.join(''))
        }),
    },
  ]
}, 60_000)
afterAll(async () => {
  await host?.stop()
  await Promise.all((doors ?? []).map(({ store }) => store.close()))
})

async function overHttp({ name }: Operation, given: Given): Promise<Answered> {
  const { method, path } = routes.get(name) as RouteFacts
  const inPath: string[] = []
  const at = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
    inPath.push(field)
    return encodeURIComponent(String(given[field] ?? 'missing'))
  })
  const rest = Object.entries(given).filter(([field]) => !inPath.includes(field))
  const reads = method === 'get' || method === 'delete'
  const query = reads
    ? `?${new URLSearchParams(rest.map(([field, value]): [string, string] => [field, String(value)]))}`
    : ''
  const answer = await host.call(method.toUpperCase(), `${at}${query}`, reads ? {} : { body: Object.fromEntries(rest) })
  if (answer.status >= 400) return { code: answer.body.code }
  return { output: answer.status === 204 ? null : parsed(answer.text) }
}

async function caught(work: () => Promise<unknown>): Promise<Answered> {
  try {
    return { output: await work() }
  } catch (error) {
    if (HistoryError.is(error)) return { code: error.code }
    if (error instanceof Error && 'code' in error) return { code: String(error.code) }
    throw error
  }
}

/** As it is written: text as it is, anything else as a line of JSON. */
async function whole(given: unknown): Promise<unknown> {
  const output = await given
  if (typeof output !== 'object' || output === null || !(Symbol.asyncIterator in output)) return output
  let text = ''
  for await (const part of output as AsyncIterable<unknown>)
    text += typeof part === 'string' ? part : `${JSON.stringify(part)}\n`
  return parsed(text)
}

/** What a tool leaves out is stated above. */
function shownBy(tool: McpTool | undefined, output: unknown): unknown {
  if (!tool || typeof output !== 'object' || output === null || 'code' in output) return output
  return Object.fromEntries(Object.entries(output).filter(([field]) => field in tool.output.shape))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Without what is made up, and without what only one door is told of. */
function told(answer: Answered, operation: Operation, { ids }: Door): unknown {
  if ('code' in answer) return answer
  const own = 'shape' in operation.output ? Object.keys(operation.output.shape as object) : null
  let { output } = answer
  if (own && typeof output === 'object' && output !== null)
    output = Object.fromEntries(Object.entries(output).filter(([field]) => own.includes(field)))
  if (output === null || (typeof output === 'object' && Object.keys(output).length === 0)) return null
  let text = JSON.stringify(output)
  for (const [kind, id] of Object.entries(ids))
    if (/^(?:task|memory|receipt)$/.test(kind)) text = text.replaceAll(id, `<${kind}>`)
  return JSON.parse(
    text
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '<time>')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
      .replaceAll(/"author":"(?:person|agent)"/g, '"author":"<caller>"')
      .replaceAll(/"(token|url)":"[^"]*"/g, '"$1":"<made up>"'),
  )
}

const rank = ({ scope, destroys }: Operation): number => (destroys ? 2 : scope === 'read' ? 0 : 1)
const inOrder = operations
  .filter(({ name }) => notCalled[name] === undefined && routes.has(name))
  .toSorted((one, other) => rank(one) - rank(other))

describe('the same call by HTTP, MCP and CLI', () => {
  test.each(inOrder.map((operation) => [operation.name, operation] as const))('%s', async (_, operation) => {
    const fields = Object.entries(operation.owned)
    const bad = { ...operation.example, ...Object.fromEntries(fields.map(([field]) => [field, 'missing'])) }
    const wrong = { ...bad, nonsense: 1 }
    const answers = async (given: (door: Door) => Given) =>
      Promise.all(doors.map(async (door) => told(await door.ask(operation, given(door)), operation, door)))
    const same = (given: readonly unknown[]) => {
      expect(given[1], 'MCP').toEqual(shownBy(toolOf(operation), given[0]))
      expect(given[2], 'CLI').toEqual(given[0])
      return given[0]
    }
    // a route without fields of its own reads no body
    const { query, body } = routes.get(operation.name) as RouteFacts
    if (operation.accepts === operation.input && (query || body))
      expect(same(await answers(() => wrong))).toEqual({ code: 'invalid_request' })
    if (fields.length > 0) same(await answers(() => bad))
    const good = (door: Door): Given => ({
      ...operation.example,
      ...Object.fromEntries(fields.map(([field, kind]) => [field, door.ids[kind] ?? 'missing'])),
    })
    same(await answers(good))
  })
})

test('an import by HTTP, MCP and CLI does the same, and the second time nothing', async () => {
  const { folder } = desk()
  const path = join(folder, 'hello.json')
  const text = JSON.stringify({
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi.' },
    ],
  })
  writeFileSync(path, text)
  const bytes = { method: 'POST', body: text, headers: { 'content-type': 'application/octet-stream' } }
  for (const status of ['added', 'unchanged']) {
    const [http, mcp, cli] = await Promise.all(
      doors.map(async ({ name, ask }) => {
        const lines =
          name === 'HTTP'
            ? await (await fetch(`${host.url}/api/v1/import?name=hello.json`, bytes)).text()
            : await ask(importConversations, { path })
        const all = typeof lines === 'string' ? lines : (lines as { output: unknown }).output
        if (typeof all !== 'string') return all
        return all
          .trim()
          .split('\n')
          .map((line) => ({ ...JSON.parse(line), source: '<file>' }))
      }),
    )
    expect(http).toMatchObject([{ type: 'conversation', status }, { type: 'report' }])
    expect(cli).toEqual(http)
    // a tool answers with the report alone
    const { dry_run, conversations, messages } = (http as { readonly 1: ImportReportShape })[1]
    expect(mcp).toEqual({ dry_run, conversations, messages, left_out: {} })
  }
})

const codeIn = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'none'
