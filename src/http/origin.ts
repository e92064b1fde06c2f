/** Against DNS rebinding and foreign pages: which names the service answers to, and who may call from a browser. */
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
