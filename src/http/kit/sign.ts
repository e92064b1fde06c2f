/** Proof that an assistant's turn is our own: a client may keep the history, but it cannot put words in our mouth. */
import type { webcrypto } from 'node:crypto'
import type { Store } from '../../store/contract/store.js'
import { digest } from '../../store/shared/runtime.js'
import { base64UrlToBytes, bytesToBase64Url, sharedSecret } from './secret.js'

/** What a signature speaks for. Null is no conversation: a query that the server does not remember. */
export interface SignedTurn {
  readonly workspace: string
  readonly conversation: string | null
  readonly role: 'assistant'
  readonly content: string
}

export interface Signer {
  sign(turn: SignedTurn): Promise<string>
  /** In constant time. A signature for another workspace, conversation or text is as false as one made up. */
  verify(turn: SignedTurn, signature: string): Promise<boolean>
}

const version = 'v1'
const encoder = new TextEncoder()

export function openSigner(store: Store, now: () => string = () => new Date().toISOString()): Signer {
  const secret = sharedSecret(store, 'turns', now)
  const keys = new Map<string, Promise<webcrypto.CryptoKey>>()

  const keyOf = (workspace: string): Promise<webcrypto.CryptoKey> => {
    const known = keys.get(workspace)
    if (known) return known
    const made = secret().then((material) => derive(material, workspace))
    made.catch(() => keys.delete(workspace))
    if (keys.size >= most) keys.clear()
    keys.set(workspace, made)
    return made
  }

  return {
    async sign(turn) {
      const mac = await crypto.subtle.sign('HMAC', await keyOf(turn.workspace), words(turn))
      return `${version}.${bytesToBase64Url(new Uint8Array(mac))}`
    },
    async verify(turn, signature) {
      const mac = signature.startsWith(`${version}.`) ? base64UrlToBytes(signature.slice(version.length + 1)) : null
      return mac !== null && crypto.subtle.verify('HMAC', await keyOf(turn.workspace), mac, words(turn))
    },
  }
}

/** Keys that are remembered; more workspaces than this are derived again. */
const most = 1_000

const derive = (material: webcrypto.CryptoKey, workspace: string): Promise<webcrypto.CryptoKey> =>
  crypto.subtle.deriveKey(
    {
      name: 'HKDF',
      hash: 'SHA-256',
      salt: encoder.encode('throughline.turn/1'),
      info: encoder.encode(workspace),
    },
    material,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign', 'verify'],
  )

// JSON keeps the fields apart: no workspace or conversation can be named so that it runs into the next field
const words = ({ workspace, conversation, role, content }: SignedTurn): Uint8Array<ArrayBuffer> =>
  encoder.encode(JSON.stringify(['throughline.turn/1', workspace, conversation, role, digest(content)]))
