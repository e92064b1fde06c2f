import { sha256 } from '../message/hash.js'
import type { Policy } from './schema.js'

const hashes = new WeakMap<Policy, string>()

/** Sixteen hex digits that name a policy by its content, whatever the order of its keys. */
export function policyHash(policy: Policy): string {
  const known = hashes.get(policy)
  if (known) return known
  const hash = sha256(canonical(policy)).slice(0, 16)
  hashes.set(policy, hash)
  return hash
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`
}
