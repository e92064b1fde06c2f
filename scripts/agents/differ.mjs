/** The requests of two runs, without what differs from one run of an agent to the next anyway. */

const varying = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<uuid>'],
  [/throughline-agents-\w+\/(?:one|two)/g, '<root>'],
  [/-tmp-throughline-agents-\w+-(?:one|two)/g, '<root>'],
  [/\b(?:toolu|msg|call|resp|rs|fc|fco|chatcmpl)[_-][0-9a-z]+/gi, '<id>'],
  [/\b(?:ses|prj|req|usr)_[0-9A-Za-z]+/g, '<id>'],
  [/run_shell_command_\d+_\d+/g, '<id>'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g, '<time>'],
  [/Process Group PGID: \d+/g, '<pgid>'],
  [/(?:Wall time|Chunk ID): [\w.]+/g, '<fact>'],
  [/\d+ tokens left/g, '<left>'],
  [/127\.0\.0\.1:\d+/g, '<host>'],
  [/cch=[0-9a-f]+/g, '<hash>'],
  [/"(?:device_id|installation_id)\\*":\\*"[0-9a-f-]+/g, '<device>'],
  [/[0-9a-f]{32,64}/g, '<hash>'],
  [/\d{13}/g, '<ms>'],
  [/[A-Za-z0-9+/]{43}=/g, '<signature>'],
]

const plain = (text) => varying.reduce((one, [found, name]) => one.replace(found, name), text)

/** Between two neighbours of a connection, or of the runtime that makes it. */
const ours =
  /^(?:host|connection|content-length|accept-encoding|accept-language|sec-fetch-.*|x-stainless-retry-count|transfer-encoding|x-throughline-hop)$/

export function differencesOf(direct, through) {
  const [one, other] = [direct, through].map((seen) => seen.filter(({ method }) => method === 'POST').sort(bySide))
  if (one.length !== other.length) return [`${one.length} requests directly, ${other.length} through us`]
  return one.flatMap((request, i) => differences(request, other[i], i))
}

/** Side calls run beside the talk, in whatever order. */
const bySide = (one, other) => Number(other.side ?? false) - Number(one.side ?? false)

function differences(one, other, i) {
  const found = []
  if (plain(one.url) !== plain(other.url)) found.push(`request ${i + 1}: ${one.url} is ${other.url}`)
  const [a, b] = [one, other].map(({ body }) => plain(sorted(body)))
  if (a !== b) {
    let at = 0
    while (a[at] === b[at]) at++
    found.push(
      `request ${i + 1}: …${a.slice(Math.max(0, at - 60), at + 60)}… is …${b.slice(Math.max(0, at - 60), at + 60)}…`,
    )
  }
  const names = new Set([...Object.keys(one.headers), ...Object.keys(other.headers)].filter((name) => !ours.test(name)))
  for (const name of names) {
    const [x, y] = [one, other].map(({ headers }) => plain(sortedList(name, headers[name] ?? '')))
    if (x !== y) found.push(`request ${i + 1}: header ${name}: ${x.slice(0, 120)} is ${y.slice(0, 120)}`)
  }
  return found
}

/** Codex writes these in a new order each time; the order of betas varies too. */
const sortedList = (name, value) =>
  name === 'anthropic-beta' ? value.split(',').sort().join() : name === 'x-codex-turn-metadata' ? sorted(value) : value

function sorted(text) {
  try {
    return JSON.stringify(JSON.parse(text), (_, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    )
  } catch {
    return text
  }
}
