/** JSON from strangers: bytes to a value, or the place of what is wrong with them. */
import { type JsonLimits, ScanFault, scan } from './scan.js'

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
