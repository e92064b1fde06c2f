/**
 * One linear pass over a JSON text, which refuses what `JSON.parse` would let through or choke on: deep nesting, floods
 * of values, keys that stand twice or reach for prototypes, numbers that become infinite, NUL and half characters.
 */

export interface JsonLimits {
  readonly depth: number
  readonly values: number
}

/** What is wrong, and the way to it. */
export class ScanFault extends Error {
  constructor(
    readonly steps: readonly (string | number)[],
    message: string,
  ) {
    super(message)
  }
}

const forbidden = new Set(['__proto__', 'constructor', 'prototype'])
const numberForm = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const quote = 0x22
const backslash = 0x5c

/** An object or list that is being read: its keys so far, or the place in it. */
interface Level {
  readonly keys: Set<string> | null
  name: string
  index: number
}

/** Throws a `Fault` for what `JSON.parse` must not see. */
export const scan = (text: string, limits: JsonLimits): void => new Scanner(text, limits).document()

class Scanner {
  readonly #text: string
  readonly #limits: JsonLimits
  readonly #levels: Level[] = []
  #at = 0
  #values = 0

  constructor(text: string, limits: JsonLimits) {
    this.#text = text
    this.#limits = limits
  }

  /** Without recursion, so that no depth can break the stack. */
  document(): void {
    this.#blank()
    let open = this.#begin()
    while (open || this.#levels.length > 0) open = open ? this.#inside() : this.#next()
    this.#blank()
    if (this.#at < this.#text.length) this.#fail('goes on after its end')
  }

  /** Begins a value; true when it is an object or list with something in it. */
  #begin(): boolean {
    if (++this.#values > this.#limits.values) this.#fail(`has more than ${this.#limits.values} values`)
    const char = this.#text[this.#at]
    if (char === '{' || char === '[') return this.#open(char)
    if (char === '"') this.#string()
    else if (char === 't') this.#word('true')
    else if (char === 'f') this.#word('false')
    else if (char === 'n') this.#word('null')
    else this.#number()
    return false
  }

  #open(char: '{' | '['): boolean {
    if (this.#levels.length >= this.#limits.depth) this.#fail(`is nested more than ${this.#limits.depth} levels deep`)
    this.#at++
    this.#blank()
    if (this.#text[this.#at] === (char === '{' ? '}' : ']')) {
      this.#at++
      return false
    }
    this.#levels.push({ keys: char === '{' ? new Set() : null, name: '', index: -1 })
    return true
  }

  /** The next value of the innermost level, its key before it. */
  #inside(): boolean {
    const level = this.#levels.at(-1) as Level
    if (level.keys) this.#key(level, level.keys)
    else level.index++
    return this.#begin()
  }

  /** After a value: a comma, or the end of the level; true when another value follows. */
  #next(): boolean {
    this.#blank()
    const level = this.#levels.at(-1) as Level
    const char = this.#text[this.#at++]
    if (char === ',') {
      this.#blank()
      return true
    }
    if (char !== (level.keys ? '}' : ']')) this.#fail('is not JSON')
    this.#levels.pop()
    return false
  }

  #key(level: Level, keys: Set<string>): void {
    if (this.#text.charCodeAt(this.#at) !== quote) this.#fail('is not JSON')
    const start = this.#at
    level.name = ''
    const plain = this.#string()
    const raw = this.#text.slice(start, this.#at)
    const key = plain ? raw.slice(1, -1) : (JSON.parse(raw) as string)
    level.name = key
    if (forbidden.has(key)) this.#fail('is a key that is not allowed')
    if (keys.has(key)) this.#fail('stands twice')
    keys.add(key)
    this.#blank()
    if (this.#text[this.#at++] !== ':') this.#fail('is not JSON')
    this.#blank()
  }

  /** True when it has no escapes. */
  #string(): boolean {
    const text = this.#text
    let plain = true
    for (this.#at++; ; this.#at++) {
      const code = text.charCodeAt(this.#at)
      if (code === quote) break
      // also at the end of the text, where the code is NaN
      if (!(code >= 0x20)) this.#fail('has a string that is not JSON')
      if (code !== backslash) continue
      plain = false
      this.#escape()
    }
    this.#at++
    return plain
  }

  #escape(): void {
    const char = this.#text[++this.#at]
    if (char !== 'u') {
      if (char === undefined || !'"\\/bfnrt'.includes(char)) this.#fail('has a string that is not JSON')
      return
    }
    const unit = this.#hex()
    if (unit === 0) this.#fail('has a NUL character')
    if (unit < 0xd800 || unit > 0xdfff) return
    const paired = unit < 0xdc00 && this.#text.startsWith('\\u', this.#at + 1)
    if (paired) {
      this.#at += 2
      const low = this.#hex()
      if (low >= 0xdc00 && low <= 0xdfff) return
    }
    this.#fail('has half a character (a lone surrogate)')
  }

  #hex(): number {
    const digits = this.#text.slice(this.#at + 1, this.#at + 5)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#fail('has a string that is not JSON')
    this.#at += 4
    return Number.parseInt(digits, 16)
  }

  #number(): void {
    numberForm.lastIndex = this.#at
    const found = numberForm.exec(this.#text)?.[0]
    if (found === undefined) this.#fail('is not JSON')
    if (!Number.isFinite(Number(found))) this.#fail('is a number beyond all bounds')
    this.#at += found.length
  }

  #word(word: string): void {
    if (!this.#text.startsWith(word, this.#at)) this.#fail('is not JSON')
    this.#at += word.length
  }

  #blank(): void {
    for (; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    }
  }

  #fail(message: string): never {
    const steps = this.#levels.map(({ keys, name, index }) => (keys ? name : index))
    throw new ScanFault(steps, message)
  }
}

// JSON from strangers: bytes to a value, or the place of what is wrong with them.

type ReadJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly path: string; readonly message: string }

export function readJsonBytes(bytes: Uint8Array, limits: JsonLimits): ReadJson {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return refuse('', 'begins with a byte order mark')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return refuse('', 'is not UTF-8')
  }
  return parseJson(text, limits)
}

export function parseJson(text: string, limits: JsonLimits): ReadJson {
  try {
    scan(text, limits)
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    if (error instanceof ScanFault) return refuse(pathOf(error.steps), error.message)
    throw error
  }
}

const refuse = (path: string, message: string): ReadJson => ({ ok: false, path, message })

/** `['messages', 3, 'role']` is `messages[3].role`; keys too long for a path are cut. */
function pathOf(steps: readonly (string | number | symbol)[]): string {
  return steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${short(String(step))}`))
    .join('')
    .replace(/^\./, '')
}

const short = (key: string): string => (key.length <= 64 ? key : `${[...key.slice(0, 63)].slice(0, 60).join('')}…`)
