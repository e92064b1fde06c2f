/**
 * A request in the words of the provider behind goes on as it came, and the answer comes back as the provider gave it.
 * Null where nobody behind speaks like that: then it is translated.
 */

import { recordIn } from '../../core/message/fields.js'
import { connectionFault } from '../../models/wire/fault.js'
import { ownerOf, type Upstream } from '../../models/wire/upstream.js'
import { conversationIn } from '../dialect/named.js'
import type { Relayed } from '../kit/context.js'
import type { Asked, Door } from '../kit/door.js'
import { Problem } from '../kit/problem.js'
import { accountIn, type Credential, toClient, toProvider, withoutSecrets } from './headers.js'
import { type ForwardLimits, openLimits } from './limits.js'
import { betaOf, openProofs, type Proofs, unbound } from './proofs.js'
import { openRecorder, type Recorder } from './recorder.js'
import { type Session, sessionOf } from './session.js'
import { type Onlooker, tapped } from './tap.js'

/** Whether a client's own key is passed on. */
export type ClientKeys = 'never' | 'fallback' | 'prefer'

/** Which requests are recorded; `stored`: those that ask for it, by `store` or by naming a conversation. */
export type Recording = 'all' | 'stored' | 'none'

export interface ForwardOptions {
  /** Without keys of ours `fallback` when left out, otherwise `never`. */
  readonly clientKeys?: ClientKeys
  /** Without keys of ours `all` when left out, otherwise `stored`. */
  readonly record?: Recording
  readonly recorder?: Recorder
  /** `agent`, when left out: what its provider finds too long is made shorter. `observe`: not a byte is changed. */
  readonly policy?: 'agent' | 'observe'
}

interface Settings extends Required<ForwardOptions> {
  readonly isOpen: boolean
  readonly limits: ForwardLimits
  readonly proofs: Proofs
}

export interface Forwarder {
  readonly forward: (passing: Relayed, door: Door, bytes: Uint8Array) => Promise<Response | null>
  /** When all that passed so far is kept, or cannot be. */
  settled(): Promise<void>
}

export function openForwarder(isOpen: boolean, options: ForwardOptions = {}): Forwarder {
  const recorder = options.recorder ?? openRecorder()
  const settings: Settings = {
    isOpen,
    clientKeys: options.clientKeys ?? (isOpen ? 'fallback' : 'never'),
    record: options.record ?? (isOpen ? 'all' : 'stored'),
    recorder,
    policy: options.policy ?? 'agent',
    limits: openLimits(),
    proofs: openProofs(),
  }
  return { forward: (...given) => forward(settings, ...given), settled: () => recorder.settled() }
}

async function forward(settings: Settings, passing: Relayed, door: Door, bytes: Uint8Array): Promise<Response | null> {
  const { frame, request, params } = passing
  const asked = frame.models.upstream ? recordIn(new TextDecoder().decode(bytes)) : null
  const name = asked && door.model(asked, params)
  if (!asked || typeof name !== 'string' || name === 'default' || door.isOurs(asked)) return null
  const upstream = frame.models.upstream?.(door.wire, name) ?? null
  const { headers, credential } = toProvider(request, settings.isOpen)
  const key = upstream && keyFor(upstream, credential, settings.clientKeys)
  if (!upstream || !key || (await isLocal(passing, name, upstream))) return null
  if (await isKept(passing, door.previous?.(asked))) return null
  const issuer = key === 'operator' ? upstream.issuer : accountIn(headers)
  const leaving = new AbortController()
  const leave = (): void => leaving.abort()
  request.signal.addEventListener('abort', leave, { once: true })
  const opened = door.opened?.(asked) ?? asked
  const meant = upstream.model !== name && 'model' in asked ? { ...opened, model: upstream.model } : opened
  const whole = meant === asked ? bytes : JSON.stringify(meant)
  const send = (body: Uint8Array | string, beta: string | null): Promise<Response> =>
    sent(upstream, leaving.signal, {
      path: `${door.path(upstream.model, params)}${queryOf(request.url, key)}`,
      headers: withBeta(key === 'operator' ? withoutSecrets(headers) : headers, beta),
      body,
      key,
    })
  const session = sessionOf(request.headers, asked)
  const { answer, body, changed } = await fitting(
    settings,
    passing,
    door,
    { asked: meant, whole, upstream, issuer, session },
    send,
  )
  const told = toClient(answer.headers)
  const passed = { model: upstream.id, issuer, sent: body, told, session, folded: changed }
  const onlooker = answer.ok ? watched(settings, passing, door, asked, passed) : undefined
  return new Response(tapped(answer.body, leave, onlooker), { status: answer.status, headers: told })
}

interface Fitting {
  readonly answer: Response
  readonly body: Uint8Array | string
  /** Messages that are not as they came. */
  readonly changed: number
}

/** How often a request is made shorter before its refusal is the client's to know. */
const tries = 4

interface Wanted {
  readonly asked: Asked
  /** The same as it came. */
  readonly whole: Uint8Array | string
  readonly upstream: Upstream
  readonly issuer: string
  readonly session: Session
}

/** As it came; only what its provider cannot read or finds too long is left out, and from then on before it is sent. */
async function fitting(
  { policy, limits, proofs }: Settings,
  { workspace }: Relayed,
  door: Door,
  { asked, whole, upstream, issuer, session }: Wanted,
  send: (body: Uint8Array | string, beta: string | null) => Promise<Response>,
): Promise<Fitting> {
  if (policy === 'observe') return { answer: await send(whole, null), body: whole, changed: 0 }
  const { wire } = door
  const key = `${workspace}\n${session.conversation ?? JSON.stringify(door.history(asked)[0] ?? null).slice(0, 2_000)}`
  const route = { session: key, wire, model: upstream.id, issuer }
  let base = proofs.before(route, asked)
  let made = limits.before(key, wire, base)
  for (let attempt = 1; ; attempt++) {
    const request = made ? unbound(wire, upstream.model, made.asked) : base
    const body = request === asked ? whole : JSON.stringify(request)
    const answer = await send(body, request === asked ? null : betaOf(request))
    if (answer.ok || (answer.status !== 400 && answer.status !== 413))
      return { answer, body, changed: made?.changed ?? 0 }
    const text = await answer.text()
    const status = answer.status
    const healed = attempt < tries ? proofs.after(route, base, text) : null
    const next =
      attempt < tries && !healed ? limits.after(key, wire, base, made?.asked ?? base, { status, text }) : null
    if (!healed && !next) return { answer: new Response(text, answer), body, changed: 0 }
    base = healed ?? base
    made = healed ? limits.before(key, wire, base) : next
  }
}

function withBeta(headers: Headers, beta: string | null): Headers {
  if (beta === null || (headers.get('anthropic-beta') ?? '').includes(beta)) return headers
  const more = new Headers(headers)
  more.append('anthropic-beta', beta)
  return more
}

interface Passed {
  readonly model: string
  readonly issuer: string
  readonly sent: Uint8Array | string
  /** The headers of the answer: where its record is found. */
  readonly told: Headers
  readonly session: Session
  readonly folded: number
}

function watched(
  { record, recorder, proofs }: Settings,
  passing: Relayed,
  door: Door,
  asked: Asked,
  passed: Passed,
): Onlooker | undefined {
  const { told, session, ...rest } = passed
  const { frame, request, workspace, params } = passing
  const isWanted =
    record === 'all' || (record === 'stored' && (asked.store === true || conversationIn(request.headers)))
  if (!isWanted || door.isCount(params)) return undefined
  const receipt = `ctx_${frame.env.id()}`
  told.set('x-throughline-receipt', receipt)
  if (session.conversation !== null && !session.isSide)
    told.set('x-throughline-conversation', encodeURIComponent(session.conversation))
  const isStream = door.isStream(asked, params)
  return recorder.watch({ ...rest, proofs, frame, workspace, door, asked, session, receipt, isStream })
}

function keyFor({ keyed }: Upstream, credential: Credential, rule: ClientKeys): 'operator' | 'client' | null {
  const mayPass = credential === 'client' && rule !== 'never'
  if (mayPass && (rule === 'prefer' || !keyed)) return 'client'
  return keyed ? 'operator' : null
}

/** A bare name that no provider claims may be a model of this machine. */
async function isLocal({ frame }: Relayed, name: string, { id }: Upstream): Promise<boolean> {
  if (name.includes('/') || ownerOf(name) !== null) return false
  return (await frame.models.list()).some((one) => one.ready && one.id !== id && one.id.endsWith(`/${name}`))
}

async function isKept({ frame, workspace }: Relayed, answer: unknown): Promise<boolean> {
  return typeof answer === 'string' && (await frame.store.getRecord(workspace, 'response', answer)) !== null
}

/** A key in the query is a credential like one in a header. */
function queryOf(address: string, key: 'operator' | 'client'): string {
  const { search, searchParams } = new URL(address)
  if (key === 'client' || !searchParams.has('key')) return search
  searchParams.delete('key')
  return searchParams.size === 0 ? '' : `?${searchParams}`
}

type Sent = Omit<Parameters<Upstream['send']>[0], 'signal'>

async function sent(upstream: Upstream, signal: AbortSignal, request: Sent): Promise<Response> {
  try {
    return await upstream.send({ ...request, signal })
  } catch (cause) {
    const { code, message } = connectionFault(upstream.id, cause)
    throw new Problem('model_failed', { detail: message, more: { reason: code }, cause })
  }
}
