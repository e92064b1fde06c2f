/** Every route, for every caller and every owner of the ids it names: what must come back, and what does. */

import { revokeKey } from '../../../src/http/kit/keys.js'
import { namesIn, type RouteFacts } from '../../../src/http/kit/route.js'
import type { Host } from '../host.js'
import { type Estate, lasting, makers, type Owner, settle } from './world.js'

export const callers = ['own', 'foreign', 'none', 'revoked', 'reader', 'share token'] as const
type Caller = (typeof callers)[number]

/** Whose the ids are; `foreign body.at`: that one alone is another's. */
type Target = 'own' | 'foreign' | 'missing' | 'deleted' | `foreign ${string}`

export interface Cell {
  readonly route: RouteFacts
  readonly caller: Caller
  readonly target: Target
}

export interface Stage {
  readonly host: Host
  readonly own: Owner
  readonly foreign: Owner
  readonly keys: Readonly<Record<Caller, string | null>>
}

/** The ids of a route: those it says are owned, and the token of a share. */
export function idsOf({ path, owned, scope }: RouteFacts): Record<string, string> {
  const token = scope === 'share' ? Object.fromEntries(namesIn(path).map((name) => [name, 'token'])) : {}
  return { ...token, ...owned }
}

/** What keeps a route out of the matrix; empty when it is covered. */
export function gapsOf(route: RouteFacts): string[] {
  const ids = idsOf(route)
  const unknown = Object.values(ids).filter((kind) => !(kind in makers))
  const unfilled = namesIn(route.path).filter((name) => !(name in ids) && route.example.params?.[name] === undefined)
  const bare = route.body !== null && !route.body.safeParse(undefined).success && route.example.body === undefined
  return [
    ...unknown.map((kind) => `${route.name}: no maker for ${kind}`),
    ...unfilled.map((name) => `${route.name}: nothing to put for {${name}}`),
    ...(bare ? [`${route.name}: no example of its body`] : []),
  ]
}

export function cellsOf(route: RouteFacts): Cell[] {
  const ids = Object.keys(idsOf(route))
  const ends = Object.values(idsOf(route)).some((kind) => !lasting.has(kind))
  const targets: Target[] =
    ids.length === 0 ? ['own'] : ['own', 'foreign', 'missing', ...(ends ? ['deleted' as const] : [])]
  if (ids.length > 1) targets.push(...ids.map((name) => `foreign ${name}` as const))
  return callers.flatMap((caller) => targets.map((target) => ({ route, caller, target })))
}

/** The statuses that are right for a cell. */
export function expected({ route, caller, target }: Cell): readonly number[] {
  const fine = Object.keys(route.answers)
    .map(Number)
    .filter((status) => status < 300)
  const absent = target === 'deleted' ? [404, 410] : [404]
  // the guides are there for everyone where they were built, and for nobody where they were not
  if (route.scope === 'open') return route.name === 'getGuidePage' ? [...fine, 404] : fine
  // whoever holds a token may read, whoever they are
  if (route.scope === 'share') return target === 'own' || target === 'foreign' ? fine : absent
  if (caller === 'none' || caller === 'revoked' || caller === 'share token') return [401]
  // what is about the whole server is for none of its tenants
  if (route.scope === 'operator' || (caller === 'reader' && route.scope !== 'read')) return [403]
  const side = caller === 'foreign' ? 'foreign' : 'own'
  const hasIds = Object.keys(idsOf(route)).length > 0
  return !hasIds || target === side ? [...fine, ...(awaited.has(route.name) ? [409] : [])] : absent
}

/** A run that is done cannot go on: its owner is told so, and nobody else is. */
const awaited = new Set(['decideRun', 'resumeRun'])

export interface Seen {
  readonly status: number
  /** Without what names the request. */
  readonly body: string
  readonly leaks: readonly string[]
}

export async function play(stage: Stage, cell: Cell, ids: Readonly<Record<string, string>>): Promise<Seen> {
  const { route, caller } = cell
  const key = stage.keys[caller]
  const url = new URL(
    stage.host.url +
      route.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
        encodeURIComponent(ids[name] ?? route.example.params?.[name] ?? ''),
      ),
  )
  for (const [name, value] of Object.entries(route.example.query ?? {})) url.searchParams.set(name, value)
  const body = structuredClone(route.example.body) as Record<string, unknown> | undefined
  for (const [place, id] of Object.entries(ids)) {
    if (place.startsWith('query.')) url.searchParams.set(place.slice(6), id)
    if (place.startsWith('body.') && body) body[place.slice(5)] = id
  }
  const leaving = new AbortController()
  const response = await fetch(url, {
    method: route.method.toUpperCase(),
    signal: leaving.signal,
    headers: {
      ...(key === null ? null : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? null : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? null : { body: JSON.stringify(body) }),
  })
  const text = await beginning(response)
  leaving.abort()
  const told = text + JSON.stringify([...response.headers])
  return { status: response.status, body: text.replace(/urn:request:[\w-]+/, ''), leaks: leaksIn(told, stage, cell) }
}

/** A stream of events need not end: what comes in a moment is enough. */
async function beginning(response: Response): Promise<string> {
  if (!/event-stream/.test(response.headers.get('content-type') ?? '')) return response.text()
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  const end = Date.now() + 50
  let text = ''
  for (let left = 50; reader && left > 0; left = end - Date.now()) {
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), left))
    const next = await Promise.race([reader.read(), late])
    if (next === null || next.done) break
    text += decoder.decode(next.value, { stream: true })
  }
  return text
}

/** Words of someone whose words the caller may not see. */
function leaksIn(text: string, { own, foreign }: Stage, { route, caller, target }: Cell): string[] {
  const allowed =
    route.scope === 'share'
      ? target === 'own'
        ? [own.canary]
        : target === 'foreign'
          ? [foreign.canary]
          : []
      : caller === 'foreign'
        ? [foreign.canary]
        : caller === 'own' || caller === 'reader'
          ? [own.canary]
          : []
  return [own.canary, foreign.canary].filter((canary) => !allowed.includes(canary) && text.includes(canary))
}

/** The faults of a route: cells that came out otherwise, words that came through, and what tells foreign from missing. */
export async function judge(
  stage: Stage,
  route: RouteFacts,
): Promise<{ readonly cells: number; readonly faults: string[] }> {
  const faults: string[] = []
  const kinds = idsOf(route)
  const still = { own: await settle(stage.host, stage.own), foreign: await settle(stage.host, stage.foreign) }
  const deleted = await settle(stage.host, stage.own)
  const gone = await fill(kinds, () => deleted)
  if (Object.keys(kinds).length > 0) await deleted.remove()
  const bodies = new Map<string, string>()
  for (const cell of cellsOf(route)) {
    const right = expected(cell)
    const { target, caller } = cell
    // what succeeds may use up what it was done to
    const fresh = right.some((status) => status < 300) && route.method !== 'get'
    const estate = fresh
      ? { own: await settle(stage.host, stage.own), foreign: await settle(stage.host, stage.foreign) }
      : still
    const ids =
      target === 'deleted'
        ? gone
        : target === 'missing'
          ? Object.fromEntries(Object.keys(kinds).map((name) => [name, `missing-${crypto.randomUUID()}`]))
          : await fill(kinds, (name) =>
              target === 'foreign' || target === `foreign ${name}` ? estate.foreign : estate.own,
            )
    const seen = await play(stage, cell, ids)
    const title = `${route.name} by ${caller} on ${target}`
    if (!right.includes(seen.status)) faults.push(`${title}: ${seen.status} instead of ${right.join(' or ')}`)
    if (seen.leaks.length > 0) faults.push(`${title}: tells ${seen.leaks.join(', ')}`)
    if (target === 'missing' || target === 'foreign') bodies.set(`${caller} ${target}`, seen.body)
  }
  if (!['share', 'open'].includes(route.scope) && bodies.get('own missing') !== bodies.get('own foreign'))
    faults.push(`${route.name}: foreign and missing can be told apart`)
  return { cells: cellsOf(route).length, faults }
}

async function fill(kinds: Readonly<Record<string, string>>, whose: (name: string) => Estate) {
  const filled = Object.entries(kinds).map(async ([name, kind]) => [name, await whose(name).id(kind)] as const)
  return Object.fromEntries(await Promise.all(filled))
}

export async function stageOf(host: Host): Promise<Stage> {
  const own: Owner = {
    workspace: 'own',
    key: await host.key('own', 'admin'),
    canary: `canary-own-${crypto.randomUUID()}`,
  }
  const foreign: Owner = {
    workspace: 'foreign',
    key: await host.key('foreign', 'admin'),
    canary: `canary-foreign-${crypto.randomUUID()}`,
  }
  const revoked = await host.key('own', 'admin')
  await revokeKey(host.store, revoked.split('.')[0] as string, new Date().toISOString())
  const token = await (await settle(host, own)).id('token')
  const reader = await host.key('own', 'read')
  const keys = { own: own.key, foreign: foreign.key, none: null, revoked, reader, 'share token': token }
  return { host, own, foreign, keys }
}
