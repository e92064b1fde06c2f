/** Which headers of a client are meant for the provider, and which of the provider's for the client. */
import { sha256 } from '../../core/message/hash.js'
import { readKey } from '../kit/keys.js'

/** Between two neighbours, or between the client and us. */
const ours =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|content-encoding|accept-encoding|cookie|origin|referer|forwarded|via|x-forwarded-.*|x-real-ip|sec-fetch-.*|x-throughline-(?!hop$).*)$/

const secrets = ['authorization', 'x-api-key', 'x-goog-api-key'] as const

/** The client's own credential, where it brings one that is not for us. */
export type Credential = 'client' | 'none'

export interface ToProvider {
  readonly headers: Headers
  readonly credential: Credential
}

/** `isOpen`: nobody needs a key here, so that whatever key there is belongs to the provider. */
export function toProvider(request: Request, isOpen: boolean): ToProvider {
  const headers = new Headers()
  request.headers.forEach((value, name) => {
    if (!ours.test(name)) headers.append(name, value)
  })
  const hasOwn = isOpen || request.headers.has('x-throughline-key')
  for (const name of secrets) if (!hasOwn || isNone(headers.get(name))) headers.delete(name)
  const credential = secrets.some((name) => headers.has(name)) ? 'client' : 'none'
  return { headers, credential }
}

/** Without a secret of anyone: the operator's comes in its place. */
export function withoutSecrets(headers: Headers): Headers {
  const rest = new Headers(headers)
  for (const name of secrets) rest.delete(name)
  return rest
}

/** Whose account a client's credential is for; nothing where it is a token that changes by the hour. */
export function accountIn(headers: Headers): string {
  const [key = ''] = secrets.flatMap((name) => headers.get(name)?.replace(/^bearer +/i, '') ?? [])
  return headers.get('chatgpt-account-id') ?? (/^(?:sk-|AIza)/.test(key) ? sha256(key).slice(0, 16) : '')
}

/** A word that only fills the field, or a key of ours. */
function isNone(value: string | null): boolean {
  if (value === null) return true
  const word = value.replace(/^bearer +/i, '').trim()
  return word === '' || word === 'throughline' || readKey(word) !== null
}

const notForClient =
  /^(?:connection|keep-alive|transfer-encoding|content-length|content-encoding|set-cookie|alt-svc|strict-transport-security|x-throughline-.*)$/

export function toClient(headers: Headers): Headers {
  const kept = new Headers()
  headers.forEach((value, name) => {
    if (!notForClient.test(name)) kept.append(name, value)
  })
  return kept
}
