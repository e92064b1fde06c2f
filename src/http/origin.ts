/** Against DNS rebinding and foreign pages: which names the service answers to, and who may call from a browser. */

import { BlockList, isIP, isIPv6 } from 'node:net'
import { Problem } from './kit/problem.js'

export interface OriginRules {
  /** Names without a port; `any` when a proxy in front has looked already. */
  readonly hosts: readonly string[] | 'any'
  /** Origins that may call from a browser, as `https://app.example.com`; its own may always. */
  readonly origins: readonly string[]
}

export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

interface Checked {
  /** The foreign origin that is allowed to read the answer, if there is one. */
  readonly origin: string | null
  /** A page of another site is behind the request, as a link, an image or the like: it sends no origin to look at. */
  readonly foreign: boolean
}

export function checkOrigin(request: Request, { hosts, origins }: OriginRules): Checked {
  const host = (request.headers.get('host') ?? hostOf(request.url)).toLowerCase()
  if (hosts !== 'any' && !hosts.includes(host.replace(/:\d+$/, '')))
    throw new Problem('wrong_host', { detail: unserved(host, hosts) })
  const origin = request.headers.get('origin')
  if (origin === null) return { origin, foreign: isForeign(request.headers.get('sec-fetch-site')) }
  if (origins.includes(origin)) return { origin, foreign: false }
  if (hostOf(origin) === host) return { origin: null, foreign: false }
  throw new Problem('wrong_origin')
}

const unserved = (host: string, hosts: readonly string[]): string =>
  `the service answers to ${hosts.join(', ')} and not to '${host}'; to add the name: openService({ origin: { hosts } })`

/** `same-site` is another port or another name beside ours. Without the header it is no browser, or an old one. */
const isForeign = (site: string | null): boolean => site === 'cross-site' || site === 'same-site'

const hostOf = (url: string): string => /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]?.toLowerCase() ?? ''

// Whose address counts: the client's, behind proxies that are trusted, and the network's where a client has many.

/** What a request came from, as far as limits are concerned. */
type AddressOf = (headers: Headers, peer: string | undefined) => { readonly remote?: string }

/** `trusted` are addresses and networks, as `10.0.0.0/8`; `X-Forwarded-For` of anyone else is not believed. */
export function clientAddress(trusted: readonly string[]): AddressOf {
  const proxies = blockList(trusted)
  const isProxy = (address: string): boolean =>
    trusted.length > 0 && proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  return (headers, peer) => {
    if (peer === undefined) return {}
    const way = (headers.get('x-forwarded-for') ?? '').split(',').map((one) => plainAddress(one.trim()))
    let client = plainAddress(peer)
    // from the right: what stands further left was written by whoever is not trusted
    for (let at = way.length - 1; at >= 0 && isIP(client) && isProxy(client); at--) client = way[at] || client
    return { remote: isIPv6(client) ? networkOf(client) : client }
  }
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Without what a mapped address, brackets or a port add to it. */
const plainAddress = (text: string): string =>
  text
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')

/** One customer has 2^64 addresses of IPv6. */
function networkOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] as string).split('::')
  const [left, right] = [groups(head), groups(tail ?? '')]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return `${[...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':')}::/64`
}

const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))

// What every answer says to a browser; an answer that says it otherwise keeps its own word.

const standing: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

export function withHeaders(response: Response, requestId: string, origin: string | null): Response {
  const { headers } = response
  for (const name in standing) if (!headers.has(name)) headers.set(name, standing[name] as string)
  // a provider's own name for the request is the one its support knows
  if (!headers.has('x-request-id')) headers.set('x-request-id', requestId)
  if (origin !== null) share(headers, origin)
  return response
}

function share(headers: Headers, origin: string): void {
  headers.set('access-control-allow-origin', origin)
  headers.set(
    'access-control-expose-headers',
    'etag, location, retry-after, x-request-id, x-throughline-conversation, x-throughline-receipt, x-throughline-run',
  )
  headers.set('cross-origin-resource-policy', 'cross-origin')
  headers.append('vary', 'Origin')
}

/** The answer to OPTIONS: the methods, and to a preflight of an allowed origin its leave. */
export function preflight(allow: string, origin: string | null): Response {
  const leave =
    origin === null
      ? null
      : {
          'access-control-allow-methods': allow,
          'access-control-allow-headers':
            'authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, x-api-key, x-throughline-conversation',
          'access-control-max-age': '600',
        }
  return new Response(null, { status: 204, headers: { allow, ...leave } })
}
