/** API keys: `prefix.secret`. Only a hash of the secret is kept; the prefix names the record. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { HistoryError } from '../../core/message/issue.js'
import { systemWorkspace } from '../../operations/context.js'
import type { StoredRecord } from '../../store/contract/record.js'
import type { Store } from '../../store/contract/store.js'
import { all, paged } from '../../store/shared/page.js'
import { refusal } from '../../store/shared/refuse.js'

export const keyScopes = ['read', 'write', 'admin'] as const
/** What a key may do; each includes those before it. */
export type KeyScope = (typeof keyScopes)[number]

/** What is known of a key; never the key. */
export interface KeyFacts {
  readonly prefix: string
  readonly workspace: string
  readonly scope: KeyScope
  readonly name: string
  readonly createdAt: string
  readonly revokedAt: string | null
}

const keyBody = z.object({
  hash: z.string(),
  workspace: z.string(),
  scope: z.enum(keyScopes),
  name: z.string(),
  createdAt: z.string(),
  revokedAt: z.string().nullable(),
})

/** A key to make. */
export interface NewKey {
  readonly workspace: string
  readonly scope: KeyScope
  readonly name: string
  readonly at: string
}

/**
 * The key itself is told here and never again.
 * @example const { key } = await createKey(store, { workspace: 'ann', scope: 'write', name: 'laptop', at })
 */
export async function createKey(store: Store, input: NewKey): Promise<KeyFacts & { readonly key: string }> {
  const { workspace, scope, name, at } = input
  if (workspace === '' || workspace.startsWith('$'))
    throw refusal('invalid', 'a workspace has a name, and none that begins with $', { field: 'workspace' })
  const prefix = `tl_${randomBytes(6).toString('hex')}`
  const secret = randomBytes(32).toString('base64url')
  const facts = { workspace, scope, name, createdAt: at, revokedAt: null }
  const body = { hash: hashOf(secret), ...facts }
  await store.putRecord(systemWorkspace, { kind: 'key', id: prefix, body, at, expect: null })
  return { prefix, ...facts, key: `${prefix}.${secret}` }
}

/** Every key of a store, revoked ones included. @example for (const { name, scope } of await listKeys(store)) console.log(name, scope) */
export async function listKeys(store: Store): Promise<readonly KeyFacts[]> {
  return (await all(paged((from) => store.records(systemWorkspace, { kind: 'key', limit: 100, ...from })))).map(factsOf)
}

/** Works within a second, on every replica. @example await revokeKey(store, prefix, new Date().toISOString()) */
export async function revokeKey(store: Store, prefix: string, at: string): Promise<KeyFacts> {
  for (let attempt = 0; ; attempt++) {
    const found = await store.getRecord(systemWorkspace, 'key', prefix)
    if (!found) throw refusal('not_found', 'there is no such key', { field: 'prefix', value: prefix })
    const body = keyBody.parse(found.body)
    if (body.revokedAt !== null) return factsOf(found)
    const revoked = { kind: 'key', id: prefix, body: { ...body, revokedAt: at }, at, expect: found.revision }
    try {
      return factsOf(await store.putRecord(systemWorkspace, revoked))
    } catch (error) {
      if (!HistoryError.is(error) || error.code !== 'record_moved' || attempt >= 8) throw error
    }
  }
}

function factsOf({ id, body }: StoredRecord): KeyFacts {
  const { hash: _, ...facts } = keyBody.parse(body)
  return { prefix: id, ...facts }
}

interface Presented {
  readonly prefix: string
  readonly secret: string
}

const keyForm = /^(tl_[0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/

/** Null for what cannot be a key at all. */
export function readKey(text: string): Presented | null {
  const match = text.length <= 100 ? keyForm.exec(text) : null
  return match ? { prefix: match[1] as string, secret: match[2] as string } : null
}

/** The record of a key, or null; the same work whether the prefix is known or not. */
export function judgeKey(record: StoredRecord | null, { secret }: Presented): KeyFacts | null {
  const body = record ? keyBody.parse(record.body) : null
  const same = timingSafeEqual(digest(secret), Buffer.from(body?.hash ?? nobody, 'hex'))
  return same && record && body?.revokedAt === null ? factsOf(record) : null
}

export const isInForce = (record: StoredRecord | null): boolean =>
  record !== null && keyBody.parse(record.body).revokedAt === null

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()
const hashOf = (secret: string): string => digest(secret).toString('hex')
const nobody = '0'.repeat(64)
