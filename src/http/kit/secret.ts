/** One secret for all replicas, made by whoever comes first and kept beside the data. */
import type { webcrypto } from 'node:crypto'
import { HistoryError } from '../../core/message/issue.js'
import { systemWorkspace } from '../../operations/context.js'
import type { Store } from '../../store/contract/store.js'

type SecretKey = () => Promise<webcrypto.CryptoKey>

/** The key material that the keys of the workspaces are derived from; read once. */
export function sharedSecret(store: Store, name: string, now: () => string): SecretKey {
  let found: Promise<webcrypto.CryptoKey> | null = null
  return () => {
    found ??= material(store, name, now).catch((error: unknown) => {
      found = null
      throw error
    })
    return found
  }
}

async function material(store: Store, name: string, now: () => string): Promise<webcrypto.CryptoKey> {
  const bytes = (await read(store, name)) ?? (await make(store, name, now))
  return crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
}

async function make(store: Store, name: string, now: () => string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  try {
    const body = { secret: bytesToBase64Url(bytes) }
    await store.putRecord(systemWorkspace, { kind: 'secret', id: name, body, at: now(), expect: null })
    return bytes
  } catch (error) {
    const theirs = HistoryError.is(error) && error.code === 'record_moved' ? await read(store, name) : null
    if (!theirs) throw error
    return theirs
  }
}

async function read(store: Store, name: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const record = await store.getRecord(systemWorkspace, 'secret', name)
  return record ? base64UrlToBytes((record.body as { readonly secret: string }).secret) : null
}

export const bytesToBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Null when it is not base64url, or not the only way to write its bytes. */
export function base64UrlToBytes(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text)) return null
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
    return bytesToBase64Url(bytes) === text ? bytes : null
  } catch {
    return null
  }
}
