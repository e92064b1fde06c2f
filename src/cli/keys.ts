/** `throughline keys`: who may call the service. */
import { HistoryError } from '../core/message/issue.js'
import { createKey, type KeyFacts, type KeyScope, keyScopes, listKeys, revokeKey } from '../http/kit/keys.js'
import type { Store } from '../store/contract/store.js'
import { exits, failed, misused, notOneOf } from './kit/failure.js'
import { openStore, type SettingFlags, settingsOf, storePlace } from './kit/settings.js'
import { put, putJson } from './kit/sink.js'
import { paintFor, printable, table } from './kit/term.js'

interface Flags extends SettingFlags {
  readonly json?: unknown
  readonly workspace?: string | undefined
  readonly scopes?: string | undefined
  readonly name?: string | undefined
  readonly prefix?: string | undefined
}

export async function createKeyFor(flags: Flags): Promise<number> {
  const { workspace = 'default', name = 'unnamed', scopes = 'read,write' } = flags
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(workspace))
    throw misused('--workspace must be 1 to 64 letters, digits, - and _', `got '${workspace}'`)
  const scope = highest(scopes)
  const made = await withStore(flags, (store) =>
    createKey(store, { workspace, scope, name, at: new Date().toISOString() }),
  )
  if (flags.json) await putJson({ schema: 'throughline.key/1', ...made })
  else {
    await put(`${made.key}\n`)
    process.stderr.write(
      `  This is the only time it is shown. It may ${mayOf(scope)} in workspace '${workspace}'.
  Use it as: -H "x-api-key: …" or -H "authorization: Bearer …"
  A server that was started before its first key asks for keys once it is started anew.\n`,
    )
  }
  return exits.ok
}

export async function showKeys(flags: Flags): Promise<number> {
  const keys = await withStore(flags, listKeys)
  if (flags.json) await putJson({ schema: 'throughline.keys/1', keys })
  else if (keys.length === 0) process.stderr.write('There are no keys: the service is open to this machine alone.\n')
  else await put(`${rowsOf(keys).join('\n')}\n`)
  return exits.ok
}

export async function revokeKeyOf(flags: Flags): Promise<number> {
  const { prefix } = flags
  if (prefix === undefined) throw misused('keys revoke needs a PREFIX', 'throughline keys list has them')
  // whoever pastes the whole key means its prefix
  const id = prefix.replace(/\..*$/s, '')
  try {
    const revoked = await withStore(flags, (store) => revokeKey(store, id, new Date().toISOString()))
    if (flags.json) await putJson({ schema: 'throughline.key/1', ...revoked })
    else process.stderr.write(`${revoked.prefix} no longer works; servers that are running know within a second.\n`)
    return exits.ok
  } catch (error) {
    if (HistoryError.is(error) && error.code === 'not_found') throw failed(`there is no key ${printable(id)}`)
    throw error
  }
}

async function withStore<T>(flags: SettingFlags, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(storePlace(settingsOf(flags)))
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Each scope has those before it. */
function highest(scopes: string): KeyScope {
  const asked = scopes.split(',').map((scope) => scope.trim())
  for (const scope of asked) if (!keyScopes.includes(scope as KeyScope)) throw notOneOf('--scopes', scope, keyScopes)
  return keyScopes.findLast((scope) => asked.includes(scope)) as KeyScope
}

const mayOf = (scope: KeyScope): string => ({ read: 'read', write: 'read and write', admin: 'do everything' })[scope]

function rowsOf(keys: readonly KeyFacts[]): string[] {
  const paint = paintFor(process.stdout)
  const rows = keys.map(({ prefix, workspace, scope, name, createdAt, revokedAt }) => {
    const state = revokedAt === null ? 'works' : `revoked ${revokedAt.slice(0, 10)}`
    return [prefix, workspace, scope, printable(name), createdAt.slice(0, 10), state]
  })
  const [head = '', ...rest] = table([['key', 'workspace', 'scope', 'name', 'since', 'state'], ...rows])
  return [paint.bold(head), ...rest]
}
