/** Ids of calls, unique in one request and legal for every provider. */
import type { Item } from '../../message/item.js'

const forms = { any: /^[a-zA-Z0-9_-]{1,40}$/, nine: /^[a-zA-Z0-9]{9}$/ } as const

export const isLegalId = (id: string): boolean => forms.any.test(id)

export class CallIds {
  readonly #form: keyof typeof forms
  readonly #seen = new Set<string>()
  readonly #turns = new Map<string, number>()

  constructor(form: keyof typeof forms = 'any') {
    this.#form = form
  }

  /** The id itself when it is legal and new, otherwise one derived from it: the same history gives the same ids. */
  take(id: string): string {
    const taken = forms[this.#form].test(id) && !this.#seen.has(id) ? id : this.#derive(id)
    this.#seen.add(taken)
    return taken
  }

  /** Takes the ids of an item's calls as they are, or none of them. */
  claim(item: Item): boolean {
    let taken = 0
    for (const part of item.parts) {
      if (part.type !== 'call') continue
      if (this.#seen.has(part.id)) return this.#release(item, taken)
      this.#seen.add(part.id)
      taken++
    }
    return true
  }

  #release(item: Item, count: number): false {
    const calls = item.parts.filter((part) => part.type === 'call')
    for (const call of calls.slice(0, count)) this.#seen.delete(call.id)
    return false
  }

  #derive(id: string): string {
    if (this.#form === 'nine') return this.#nine(id)
    const base = `${id.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 24)}-${hash(id)}`
    for (let turn = this.#turns.get(base) ?? 1; ; turn++) {
      const derived = turn === 1 ? base : `${base}-${turn}`
      if (this.#seen.has(derived)) continue
      this.#turns.set(base, turn + 1)
      return derived
    }
  }

  /** Nine letters and digits, as Mistral wants them. */
  #nine(id: string): string {
    for (let turn = this.#turns.get(id) ?? 1; ; turn++) {
      const derived = `${hash(`${id}|${turn}`)}${hash(`${turn}|${id}`)}`.padEnd(9, '0').slice(0, 9)
      if (this.#seen.has(derived)) continue
      this.#turns.set(id, turn + 1)
      return derived
    }
  }
}

/** FNV-1a over UTF-16 units. */
function hash(value: string): string {
  let sum = 0x811c9dc5
  for (let i = 0; i < value.length; i++) sum = Math.imul(sum ^ value.charCodeAt(i), 0x01000193)
  return (sum >>> 0).toString(36)
}
