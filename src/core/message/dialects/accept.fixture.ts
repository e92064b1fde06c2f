import { type Decoded, decode } from './decode.js'

/** The decoded message; fails when it was refused. */
export function accept(message: unknown): Decoded {
  const decoded = decode(message)
  if (!decoded.ok) throw new Error(`refused: ${decoded.code} at '${decoded.field}': ${decoded.reason}`)
  return decoded
}

export const said = (text: string) => ({ type: 'text', text })

export const pending = { state: 'pending' }

export const ok = (...texts: string[]) => ({ state: 'ok', output: texts.map(said) })
