/** Against DNS rebinding and foreign pages: which names the service answers to, and who may call from a browser. */
import { Problem } from './problem.js'

export interface OriginRules {
  /** Names without a port; `any` when a proxy in front has looked already. */
  readonly hosts: readonly string[] | 'any'
  /** Origins that may call from a browser, as `https://app.example.com`; its own may always. */
  readonly origins: readonly string[]
}

export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Returns the foreign origin that is allowed to read the answer, if there is one. */
export function checkOrigin(request: Request, { hosts, origins }: OriginRules): string | null {
  const host = (request.headers.get('host') ?? hostOf(request.url)).toLowerCase()
  if (hosts !== 'any' && !hosts.includes(host.replace(/:\d+$/, ''))) throw new Problem('wrong_host')
  const origin = request.headers.get('origin')
  if (origin === null) return null
  if (origins.includes(origin)) return origin
  if (hostOf(origin) === host) return null
  throw new Problem('wrong_origin')
}

const hostOf = (url: string): string => /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]?.toLowerCase() ?? ''
