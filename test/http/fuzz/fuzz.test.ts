import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RouteFacts } from '../../../src/http/kit/route.js'
import { runs } from '../../runs.js'
import { type Host, startService } from '../host.js'
import { type Answer, checker } from './answers.js'
import type { Document, Operation } from './arbitrary.js'
import { Known } from './known.js'
import { type Move, moves } from './moves.js'

let host: Host
let document: Document
beforeAll(async () => {
  host = await startService({ metrics: () => 'throughline_up 1\n' })
  document = (await host.call('GET', '/openapi.json')).body
})
afterAll(() => host.stop())

/** Requests in a row, and rows. */
const length = 70
const rows = Math.min(100, Math.ceil(0.2 * runs))

test(`${length * rows} requests made from the document get only answers that it tells of [A-18]`, {
  timeout: 600_000,
}, async () => {
  const check = checker(document)
  const known = new Known()
  const reached = new Set<string>()
  const property = fc.asyncProperty(
    fc.array(moves(document, host.service.routes), { minLength: length, maxLength: length }),
    async (row) => {
      for (const move of row) {
        const route = named(move.name)
        const ids = known.idsFor(route, move.pick)
        const answer = await send(route, move, ids)
        const faults = check(operationOf(route), answer)
        expect(faults, JSON.stringify({ ...move, ids })).toEqual([])
        const fine = answer.status < 300
        if (fine) reached.add(move.name)
        if (fine && /^application\/json/.test(answer.type))
          known.learn(route, ids.conversation_id ?? ids.conversation ?? ids['body.conversation'], answer.text)
      }
    },
  )
  await fc.assert(property, { numRuns: rows, endOnFailure: true })
  expect(host.log.filter(({ level }) => level === 'error')).toEqual([])
  // a generator that never gets through proves nothing, and a short run cannot get everywhere
  if (rows < 40) return
  // this host has no tool servers and keeps no connections
  const routes = host.service.routes.filter(
    ({ path }) => !/\/(tool-servers|connections|offers|models\/usual)\b/.test(path),
  )
  expect(reached.size, String(routes.map(({ name }) => name).filter((name) => !reached.has(name)))).toBeGreaterThan(
    0.8 * routes.length,
  )
})

test('an answer that is not documented is seen', async () => {
  const check = checker(document)
  const operation = document.paths['/api/v1/conversations/{conversation_id}']?.get as Operation
  const answer = { status: 200, type: 'application/json', text: '{"id":"x"}' }
  expect(check(operation, answer)).toHaveLength(1)
  expect(check(operation, { ...answer, status: 418 })).toHaveLength(1)
  expect(check(operation, { ...answer, status: 500 })).toHaveLength(1)
  expect(check(operation, { status: 200, type: 'text/html', text: '' })).toHaveLength(1)
})

const named = (name: string) => host.service.routes.find((route) => route.name === name) as RouteFacts

const operationOf = ({ path, method }: RouteFacts) => document.paths[path]?.[method] as Operation

async function send(route: RouteFacts, move: Move, ids: Readonly<Record<string, string>>): Promise<Answer> {
  const { key } = move
  const fill = (name: string) => encodeURIComponent(ids[name] ?? route.example.params?.[name] ?? 'x')
  const url = new URL(host.url + route.path.replaceAll(/\{(\w+)\}/g, (_, name) => fill(name)))
  for (const [name, value] of Object.entries(move.query))
    url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  let { body } = move
  for (const [place, id] of Object.entries(ids)) {
    const [where, name] = place.split('.') as [string, string | undefined]
    if (where === 'query' && name !== undefined && url.searchParams.has(name)) url.searchParams.set(name, id)
    if (where === 'body' && name !== undefined && has(body, name)) body = { ...body, [name]: id }
  }
  const leaving = new AbortController()
  const response = await fetch(url, {
    method: route.method.toUpperCase(),
    signal: leaving.signal,
    headers: {
      ...(body === undefined ? null : { 'content-type': 'application/json' }),
      ...(key === null ? null : { 'idempotency-key': encodeURI(key) }),
    },
    ...(body === undefined ? null : { body: JSON.stringify(body) }),
  })
  const type = response.headers.get('content-type') ?? ''
  const text = type.startsWith('text/event-stream') ? '' : await response.text()
  leaving.abort()
  return { status: response.status, type, text }
}

const has = (value: unknown, name: string): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
