/** What someone pasted: a key, the address of a server, or neither. */
import { knownProviders } from './known.js'

export type Pasted =
  | { readonly type: 'key'; readonly key: string; readonly provider: string | null }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'neither'; readonly why: string }

/** Keys are pasted as they are found: in quotes, as a line of a shell, behind `Bearer`. */
const wrapping = /^(?:export\s+)?(?:[A-Z][A-Z0-9_]*\s*=\s*|(?:authorization:\s*)?bearer\s+|x-api-key:\s*)/i

export function recognise(pasted: string): Pasted {
  const text = unquoted(unquoted(pasted.trim()).replace(wrapping, '').trim())
  if (text === '') return { type: 'neither', why: 'Paste a key or the address of a server.' }
  if (/^https?:\/\//i.test(text) || /^(?:localhost|\d+\.\d+\.\d+\.\d+|[\w.-]+):\d+(?:\/|$)/.test(text))
    return address(text)
  if (!/^[\x21-\x7e]{8,512}$/.test(text))
    return { type: 'neither', why: 'This is neither a key nor an address: a key is one word of at least 8 characters.' }
  return { type: 'key', key: text, provider: knownProviders.find(({ key }) => key?.test(text))?.id ?? null }
}

const unquoted = (text: string): string => text.replace(/^(["'`])(.*)\1;?$/s, '$2')

/** What people copy is often the address of one request; the server's own is before it. */
const requests =
  /\/(?:chat\/completions|completions|responses|models|messages|embeddings|api\/(?:chat|tags|generate))\/*$/

function address(text: string): Pasted {
  const given = /^https?:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(given)) return { type: 'neither', why: 'This address cannot be read.' }
  const url = new URL(given)
  if (url.username !== '' || url.password !== '')
    return { type: 'neither', why: 'The address holds a password. Paste it without, and the key on its own.' }
  const path = url.pathname.replace(requests, '').replace(/\/+$/, '')
  return { type: 'url', url: `${url.origin}${path}` }
}

/** The name of a server in the ids of its models: letters, digits and dashes. */
export function serverName(url: string): string {
  const slug = new URL(url).host
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return (/^[a-z]/.test(slug) ? slug : `server-${slug}`).slice(0, 32)
}
