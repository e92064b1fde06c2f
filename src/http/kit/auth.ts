/** Who calls: the workspace and what may be done in it. */

import { systemWorkspace } from '../../operations/context.js'
import type { StoredRecord } from '../../store/contract/record.js'
import type { Store } from '../../store/contract/store.js'
import { isInForce, judgeKey, type KeyScope, readKey } from './keys.js'
import { Problem } from './problem.js'
import type { Scope } from './route.js'

/** `open` trusts everyone who can reach the service, but for other users of the machine: for loopback alone. */
export type Auth =
  | { readonly mode: 'open' }
  | { readonly mode: 'keys' }
  | { readonly mode: 'own'; readonly who: WhoCalls }

/**
 * The users of the host's own: whose workspace a request is about and what it may do there (`write` when left out);
 * null for nobody. Asked of every request that is about someone's data.
 */
export type WhoCalls = (request: Request) => Promise<Known | null> | Known | null

/** Who calls, as your `auth` knows it. */
export interface Known {
  readonly workspace: string
  readonly scope?: KeyScope
}

export interface Caller {
  readonly workspace: string
  readonly scope: KeyScope | 'none'
  /** Whether the server as a whole is theirs: the one user of an open service, an admin key of the first workspace. */
  readonly operator: boolean
  /** The prefix of the key; null without one. */
  readonly key: string | null
}

/** `stranger`: the host knows that another user of the machine is calling. */
export type Authorise = (request: Request, scope: Scope, stranger: boolean) => Promise<Caller>

/** Where no key was asked for, nothing is anyone's. */
const nobody: Caller = { workspace: '', scope: 'none', operator: false, key: null }
const first = 'default'
const everyone: Caller = { workspace: first, scope: 'admin', operator: true, key: null }

/** The keys of a store, each remembered for a second. */
interface Keyring {
  readonly find: Find
  readonly isGood: (prefix: string) => Promise<boolean>
}

export function keyring(store: Store, clock: () => number): Keyring {
  const ask: Find = (prefix) => store.getRecord(systemWorkspace, 'key', prefix)
  return { find: cached(ask, clock), isGood: async (prefix) => isInForce(await ask(prefix)) }
}

export function authoriser(auth: Auth, { find }: Keyring): Authorise {
  if (auth.mode === 'open')
    return async (_, scope, stranger) => {
      if (isPublic(scope)) return nobody
      if (stranger) throw new Problem('forbidden', { detail: foreign })
      return everyone
    }
  if (auth.mode === 'own')
    return async (request, scope) => {
      if (isPublic(scope)) return nobody
      const known = await auth.who(request)
      if (!known) throw new Problem('unauthorized')
      return { workspace: known.workspace, scope: known.scope ?? 'write', operator: false, key: null }
    }
  return async (request, scope) => {
    if (isPublic(scope)) return nobody
    const presented = readKey(keyIn(request.headers) ?? '')
    const facts = presented && judgeKey(await find(presented.prefix), presented)
    if (!facts) throw new Problem('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })
    const operator = facts.scope === 'admin' && facts.workspace === first
    return { workspace: facts.workspace, scope: facts.scope, operator, key: facts.prefix }
  }
}

const foreign =
  'this service belongs to another user of this machine; its owner can make you a key: throughline keys create'

export const isPublic = (scope: Scope): boolean => scope === 'open' || scope === 'share'

const ranks: Readonly<Record<Scope | 'none', number>> = {
  none: 0,
  open: 0,
  share: 0,
  read: 1,
  write: 2,
  admin: 3,
  operator: 4,
}

export function allow(caller: Caller, scope: Scope): void {
  if (ranks[caller.operator ? 'operator' : caller.scope] >= ranks[scope]) return
  if (scope === 'operator') throw new Problem('forbidden', { detail: operatorOnly })
  throw new Problem('forbidden', { detail: `this needs the scope ${scope}` })
}

const operatorOnly =
  "only the operator of this server may do this: use a key made with 'throughline keys create --scopes admin' for the workspace 'default'"

function keyIn(headers: Headers): string | null {
  const own = headers.get('x-throughline-key')
  if (own !== null) return own
  const bearer = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  return bearer ?? headers.get('x-api-key') ?? headers.get('x-goog-api-key')
}

/** How long a revoked key may still work on another replica. */
const cacheMs = 1_000
const cacheSize = 10_000

type Find = (prefix: string) => Promise<StoredRecord | null>

function cached(find: Find, clock: () => number): Find {
  const known = new Map<string, { readonly until: number; readonly record: Promise<StoredRecord | null> }>()
  return (prefix) => {
    const now = clock()
    const found = known.get(prefix)
    if (found && found.until > now) return found.record
    if (known.size >= cacheSize) known.clear()
    const record = find(prefix)
    record.catch(() => known.delete(prefix))
    known.set(prefix, { until: now + cacheMs, record })
    return record
  }
}
