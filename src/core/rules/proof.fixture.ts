import { expect, test } from 'vitest'
import { rows } from '../../testing/torture/rows.js'
import type { Target } from '../message/target.js'
import { check } from './check.js'
import { rules } from './rules.js'

// biome-ignore lint/suspicious/noExplicitAny: a test changes requests in ways that no type would allow
export type Loose = any

/** Changes the legal request in place, or returns another one. */
export type Break = (request: Loose) => unknown

/** Puts a value at a path such as `messages[2].content`. */
export const set =
  (path: string, value: unknown): Break =>
  (request) => {
    const { holder, key } = locate(request, path)
    holder[key] = value
  }

export const drop =
  (path: string): Break =>
  (request) => {
    const { holder, key } = locate(request, path)
    delete holder[key]
  }

function locate(request: Loose, path: string): { readonly holder: Loose; readonly key: string } {
  const keys = path.match(/[^.[\]]+/g) ?? []
  const key = keys.at(-1) ?? ''
  return { holder: keys.slice(0, -1).reduce((value, name) => value[name], request), key }
}

/** Shows that each rule of a target is met by the legal request and broken, alone, by its variant. */
export function prove(
  target: Target,
  legal: () => unknown,
  breaks: Readonly<Record<string, Break | readonly Break[]>>,
) {
  const table: Readonly<Record<string, Break | readonly Break[]>> = { ...jsonBreaks, ...breaks }

  test('the legal request breaks no rule', () => {
    expect(check(target, legal())).toEqual([])
  })

  test('every rule has a request that breaks it, and every broken rule is written down', () => {
    const proven = rows.flatMap((row) => (row.target === target ? row.rule : []))
    const written = rules[target].filter(({ profiles }) => !profiles).map(({ rule }) => rule)
    expect(new Set([...Object.keys(table), ...proven])).toEqual(new Set([...written, ...proven]))
    for (const { says } of rules[target]) expect(says).toMatch(/\S.*["'.]$/s)
  })

  for (const [rule, variants] of Object.entries(table)) {
    const losses = rules[target].some((one) => one.rule === rule && one.kind === 'loss')
    const all = Array.isArray(variants) ? (variants as readonly Break[]) : [variants as Break]
    all.forEach((change, i) => {
      test(`${rule} is the only rule that variant ${i + 1} breaks`, () => {
        const request = legal()
        const changed = change(request)
        const lost = new Set(check(target, legal(), { losses }).map((violation) => violation.rule))
        const found = check(target, changed === undefined ? request : changed, { losses }).filter(
          (violation) => violation.rule === rule || !lost.has(violation.rule),
        )
        expect(new Set(found.map((violation) => violation.rule))).toEqual(new Set([rule]))
        for (const { path, message } of found)
          expect(`${path} ${message}`).not.toMatch(/undefined(?! is not JSON)|\[object/)
      })
    })
  }
}

const deep = (levels: number): unknown => (levels === 0 ? 0 : [deep(levels - 1)])

const jsonBreaks: Readonly<Record<string, Break | readonly Break[]>> = {
  'request.unreadable': [
    (request) => Object.defineProperty(asObject(request), 'trap', { enumerable: true, get: () => fail() }),
    () => new Proxy({}, { ownKeys: fail }),
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return proxy
    },
  ],
  'request.cyclic': (request) => {
    const body = asObject(request)
    body.self = { body }
    return body
  },
  'request.deep': (request) => ({ ...asObject(request), deep: deep(200) }),
  'request.large': (request) => ({ ...asObject(request), large: new Array(1_000_001).fill(0) }),
  'request.value': [undefined, Number.NaN, 1n, Symbol('s'), fail, new Date(0), new Map(), new Array(2 ** 32 - 1)].map(
    (value): Break =>
      (request) => ({ ...asObject(request), extra: value }),
  ),
  'string.malformed': [
    (request) => ({ ...asObject(request), extra: 'cut \ud83d' }),
    (request) => ({ ...asObject(request), [`cut ${'\udc00'}`]: 1 }),
  ],
}

function asObject(request: Loose): Loose {
  return typeof request === 'string' ? { prompt: request } : request
}

function fail(): never {
  throw new Error('no')
}
