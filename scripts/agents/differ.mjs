/** The requests of two runs, without what differs from one run of an agent to the next anyway. */

/** What an agent makes anew in each run, as it is found in a request, and what is put in its place. */
const varying = [
  ['an id of the run', /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi],
  ['its folder', /throughline-agents-\w+\/(?:one|two)/g],
  ['its folder', /-tmp-throughline-agents-\w+-(?:one|two)/g],
  ['an id of the run', /\b(?:toolu|msg|call|resp|rs|fc|fco|chatcmpl)[_-][0-9a-z]+/gi],
  ['an id of the run', /\b(?:ses|prj|req|usr)_[0-9A-Za-z]+/g],
  ['an id of the run', /run_shell_command_\d+_\d+/g],
  ['the time', /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g],
  ['a process of its own', /Process Group PGID: \d+/g],
  ['how long a command took', /(?:Wall time|Chunk ID): [\w.]+/g],
  ['tokens that it counts as left', /\d+ tokens left/g],
  ['the address that it was given', /127\.0\.0\.1:\d+/g],
  ['a hash over the run', /cch=[0-9a-f]+/g],
  // Codex looks at the repository beside its first requests, and tells what it has found so far, if anything
  ['what it had seen of its repository', /\\*"workspaces\\*":\{\\*"[^{}]*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\},?/g, ''],
  ['its device', /"(?:device_id|installation_id)\\*":\\*"[0-9a-f-]+/g],
  ['a hash over the run', /[0-9a-f]{32,64}/g],
  ['the time', /\d{13}/g],
  ['a signature', /[A-Za-z0-9+/]{43}=/g],
  // gemini-cli keeps a result in two places of its session, mostly; when it resumes, it sends both
  ['a result that it sends twice', /(\{"functionResponse":\{(?:[^{}]|\{[^{}]*\})*\}\})(?:,\1)+/g, '$1'],
]

/** Headers that two connections may differ in, and why. */
const between = {
  host: 'the address that was asked',
  connection: 'between two neighbours',
  'content-length': 'of the encoding that the connection chose',
  'transfer-encoding': 'of the encoding that the connection chose',
  'accept-encoding': 'of the one that reads the answer: our own here',
  'accept-language': 'of the runtime that makes the connection',
  'sec-fetch-mode': 'of the runtime that makes the connection',
  'x-stainless-retry-count': 'counts what failed before',
  'x-throughline-hop': 'ours: by it a service that calls itself is found',
}

/** `differences`: what should be the same and is not. `reasons`: what is not, and why. */
export function differencesOf(direct, through) {
  const [one, other] = [direct, through].map((seen) => seen.filter(({ method }) => method === 'POST').sort(bySide))
  const reasons = new Set()
  if (one.length !== other.length)
    return { differences: [`${one.length} requests directly, ${other.length} through us`], reasons: [] }
  const differences = one.flatMap((request, i) => compared(request, other[i], i, reasons))
  return { differences, reasons: [...reasons].sort() }
}

/** Side calls run beside the talk, in whatever order. */
const bySide = (one, other) => Number(other.side ?? false) - Number(one.side ?? false)

function compared(one, other, i, reasons) {
  const found = []
  const plain = (text) =>
    varying.reduce((now, [why, pattern, put = `<${why}>`]) => {
      const next = now.replace(pattern, put)
      if (next !== now) reasons.add(`in the text: ${why}`)
      return next
    }, text)
  if (plain(one.url) !== plain(other.url)) found.push(`request ${i + 1}: ${one.url} is ${other.url}`)
  const [a, b] = [one, other].map(({ body }) => plain(sorted(body)))
  if (a !== b) {
    let at = 0
    while (a[at] === b[at]) at++
    found.push(
      `request ${i + 1}: …${a.slice(Math.max(0, at - 60), at + 60)}… is …${b.slice(Math.max(0, at - 60), at + 60)}…`,
    )
  }
  for (const name of new Set([...Object.keys(one.headers), ...Object.keys(other.headers)])) {
    const [x, y] = [one, other].map(({ headers }) => plain(sortedList(name, headers[name] ?? '')))
    if (x === y) continue
    if (between[name]) reasons.add(`header ${name}: ${between[name]}`)
    else found.push(`request ${i + 1}: header ${name}: ${x.slice(0, 120)} is ${y.slice(0, 120)}`)
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
