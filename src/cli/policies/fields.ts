/** A policy as a flat list of fields. */
import type { Policy } from '../../core/policy/schema.js'

export function policyFields(policy: Policy): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  const walk = (value: object, path: string): void => {
    for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
      const field = path === '' ? key : `${path}.${key}`
      if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) walk(inner, field)
      else if (field !== 'name' && field !== 'says') fields.set(field, inner)
    }
  }
  walk(policy, '')
  return fields
}

/** Words stand as they are; texts with spaces or line ends show them. */
export function fieldText(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value)) return value.join(' ')
  if (typeof value !== 'string') return String(value)
  return /^[\w./-]+$/.test(value) ? value : JSON.stringify(value)
}
