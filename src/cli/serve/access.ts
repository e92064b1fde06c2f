/** Who may call: everyone on this machine while there are no keys, and only those with a key from then on. */
import { networkInterfaces } from 'node:os'
import type { Loaded } from '../../config/load.js'
import type { Auth } from '../../http/kit/auth.js'
import { type KeyFacts, listKeys } from '../../http/kit/keys.js'
import { loopbackHosts, type OriginRules } from '../../http/origin.js'
import type { Store } from '../../store/contract/store.js'
import { exits, Failure } from '../kit/failure.js'

export interface Access {
  readonly auth: Auth
  /** Keys that work. */
  readonly keys: readonly KeyFacts[]
}

const isLoopback = (host: string): boolean => /^(?:127(?:\.\d+){3}|localhost|\[?::1\]?)$/i.test(host)

/** Throws where the service would be open to strangers. */
export async function accessTo(store: Store, { config }: Loaded): Promise<Access> {
  const all = await listKeys(store)
  const keys = all.filter(({ revokedAt }) => revokedAt === null)
  if (!isLoopback(config.host) && keys.length === 0) throw open(config.host)
  // where keys were in use once, the last one's end does not open the door
  return { auth: { mode: all.length === 0 ? 'open' : 'keys' }, keys }
}

const open = (host: string): Failure =>
  new Failure(
    exits.config,
    `throughline: listening on ${host} without keys would let everyone in
  make a key:   throughline keys create --name first --scopes read,write
  or stay here: throughline serve --host 127.0.0.1`,
  )

/** Names by which this server may be called; a proxy's must be named in `hosts`. */
export function originsOf({ config }: Loaded): OriginRules {
  const { host, hosts, origins, public_url } = config
  if (hosts.includes('*')) return { hosts: 'any', origins }
  const own = isLoopback(host) ? [] : host === '0.0.0.0' || host === '::' ? addresses() : [bracketed(host)]
  const shared = public_url === null ? [] : [new URL(public_url).hostname]
  return { hosts: [...loopbackHosts, ...own, ...shared, ...hosts.map((name) => name.toLowerCase())], origins }
}

const addresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => bracketed(address)))

const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
