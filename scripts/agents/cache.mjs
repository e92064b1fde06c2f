/** What a provider would have read from its cache: by marks at Anthropic, by the longest common beginning elsewhere. */
import { createHash } from 'node:crypto'

const hashOf = (value) => createHash('sha256').update(value).digest('hex')
const tokensOf = (text) => Math.ceil(text.length / 4)

export function cacheOf() {
  const known = new Map()
  const bodies = []
  return (dialect, body) => (dialect === 'anthropic' ? marked(known, body) : common(bodies, body))
}

/** A chain of hashes over tools, system and blocks; a mark writes, and reads up to 20 blocks back. */
function marked(known, { tools = [], system = [], messages = [] }) {
  const units = [
    ...tools.map((tool) => ['tool', tool]),
    ...listOf(system).map((block) => ['system', block]),
    ...messages.flatMap(({ role, content }) => listOf(content).map((block) => [role, block])),
  ]
  let chain = ''
  let size = 0
  const links = units.map(([where, unit]) => {
    const { cache_control: mark, ...bare } = unit
    const text = JSON.stringify([where, bare])
    chain = hashOf(chain + text)
    size += tokensOf(text)
    return { chain, size, mark: mark !== undefined }
  })
  let read = 0
  links.forEach(({ mark }, at) => {
    if (!mark) return
    for (let back = at; back >= Math.max(0, at - 20); back--)
      if (known.has(links[back].chain)) read = Math.max(read, links[back].size)
  })
  for (const { mark, chain: key, size: length } of links) if (mark) known.set(key, length)
  return read
}

/** Steps of 128 tokens from 1,024 on. */
function common(bodies, body) {
  const { model: _, stream: __, metadata: ___, client_metadata: ____, prompt_cache_key: _____, ...rest } = body
  const text = JSON.stringify([
    rest.tools,
    rest.instructions,
    rest.systemInstruction,
    rest.input ?? rest.messages ?? rest.contents,
  ])
  let most = 0
  for (const other of bodies) {
    let same = 0
    while (same < text.length && text[same] === other[same]) same++
    most = Math.max(most, same)
  }
  bodies.push(text)
  const tokens = Math.floor(most / 4 / 128) * 128
  return tokens < 1_024 ? 0 : tokens
}

const listOf = (content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content)
