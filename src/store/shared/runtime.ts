/** What runtimes do in different ways: with Node's own, fast, where it is there, and with the web's elsewhere. */
import { sha256 } from '../../core/message/hash.js'

/** Asked for at run time, so that no bundle for a browser or the edge names it. */
const builtin = globalThis.process?.getBuiltinModule
const crypto = builtin?.('node:crypto')
const buffer = globalThis.Buffer as typeof Buffer | undefined

/** SHA-256 in hex, at once. */
export const digest: (value: string | Uint8Array) => string = crypto
  ? (value) => crypto.hash?.('sha256', value, 'hex') ?? crypto.createHash('sha256').update(value).digest('hex')
  : sha256

/** The bytes of a text in UTF-8. */
export const byteLength: (text: string) => number = buffer
  ? (text) => buffer.byteLength(text)
  : (text) => new TextEncoder().encode(text).length

export function toBase64(bytes: Uint8Array): string {
  if (buffer) return buffer.from(bytes).toString('base64')
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Letters that stand in a URL, without padding. */
export const toBase64Url = (text: string): string =>
  toBase64(new TextEncoder().encode(text)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

export const fromBase64Url = (text: string): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0)),
  )

/** A file that comes with the package. */
export async function readAsset(from: URL): Promise<Uint8Array> {
  const files = builtin?.('node:fs/promises')
  if (files && from.protocol === 'file:') return files.readFile(from)
  const response = await fetch(from)
  if (!response.ok) throw new Error(`${from.pathname} could not be loaded: ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}
