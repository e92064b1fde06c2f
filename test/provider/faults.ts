/** Everything that a provider can do wrong, as data: what it sends instead. */
import type { Wire } from './answer.js'
import { errorFrame, type Frames } from './frames.js'

/** Something a server does with a response; the connection ends after the last one. */
export type Act =
  | { readonly do: 'head'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly do: 'send'; readonly bytes: Uint8Array }
  | { readonly do: 'wait'; readonly ms: number }
  /** Waits for the client to go away. */
  | { readonly do: 'hang' }
  /** Closes the connection without the end of the response. */
  | { readonly do: 'cut' }
  | { readonly do: 'repeat'; readonly bytes: Uint8Array; readonly times: number }

export type FaultName = keyof typeof faults

const bytes = (text: string): Uint8Array => Buffer.from(text)
const joined = (frames: readonly string[]): Uint8Array => bytes(frames.join(''))
const head = (frames: Frames): Act => ({ do: 'head', status: 200, headers: { 'content-type': frames.contentType } })
const send = (...frames: readonly string[]): Act => ({ do: 'send', bytes: joined(frames) })
const whole = (frames: Frames): Act[] => [
  head(frames),
  send(...frames.begin, ...frames.body, ...frames.close, ...frames.terminal),
]

const refuse =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  (): Act[] => [
    { do: 'head', status, headers: { 'content-type': 'application/json', ...headers } },
    send(typeof body === 'string' ? body : JSON.stringify(body)),
  ]

const limited = {
  type: 'error',
  error: { type: 'rate_limit_error', message: 'slow down: secret-words', code: 429, status: 'RESOURCE_EXHAUSTED' },
}
const failed = {
  type: 'error',
  error: { type: 'api_error', message: 'internal: secret-words', code: 500, status: 'INTERNAL' },
}

const half = (list: readonly string[]): readonly string[] => list.slice(0, Math.max(1, Math.floor(list.length / 2)))

export const faults = {
  '429 in seconds': refuse(429, limited, { 'retry-after': '2' }),
  '429 by date': refuse(429, limited, { 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' }),
  '429 in milliseconds': refuse(429, limited, { 'retry-after-ms': '1500' }),
  '429 bare': refuse(429, limited),
  '500': refuse(500, failed),
  '503': refuse(503, failed),
  '529 overloaded': refuse(529, { type: 'error', error: { type: 'overloaded_error', message: 'secret-words' } }),
  '401': refuse(401, { error: { type: 'authentication_error', message: 'secret-words' } }),
  '403': refuse(403, { error: { type: 'permission_error', message: 'secret-words' } }),
  '400': refuse(400, { error: { type: 'invalid_request_error', message: 'secret-words' } }),
  '404': refuse(404, { error: { type: 'not_found_error', message: 'secret-words' } }),
  '413 too large': refuse(413, { error: { type: 'request_too_large', message: 'secret-words' } }),
  '400 prompt too long': refuse(400, {
    error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
  }),
  '400 context length': refuse(400, {
    error: {
      code: 'context_length_exceeded',
      message: "This model's maximum context length is 8192 tokens. secret-words",
    },
  }),
  '400 input tokens': refuse(400, {
    error: {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    },
  }),
  '302 elsewhere': refuse(302, '', { location: 'http://127.0.0.1:9/' }),
  'HTML body': (): Act[] => [
    { do: 'head', status: 200, headers: { 'content-type': 'text/html' } },
    send('<!doctype html><title>secret-words</title>'),
  ],
  'HTML error': (): Act[] => [
    { do: 'head', status: 502, headers: { 'content-type': 'text/html' } },
    send('<h1>Bad gateway secret-words</h1>'),
  ],
  'wrong content-type': (frames: Frames): Act[] => [
    { do: 'head', status: 200, headers: { 'content-type': 'application/octet-stream' } },
    ...whole(frames).slice(1),
  ],
  'error first': (_: Frames, wire: Wire): Act[] => [
    { do: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } },
    send(errorFrame[wire]),
  ],
  'error in the middle': (frames: Frames, wire: Wire): Act[] => [
    head(frames),
    send(...frames.begin, ...half(frames.body), errorFrame[wire]),
  ],
  'cut in an event': (frames: Frames): Act[] => {
    const last = frames.body.at(-1) as string
    return [
      head(frames),
      send(...frames.begin, ...frames.body.slice(0, -1), last.slice(0, last.length / 2)),
      { do: 'cut' },
    ]
  },
  'cut in a character': (frames: Frames): Act[] => [
    head(frames),
    { do: 'send', bytes: insideCharacter(frames) },
    { do: 'cut' },
  ],
  'cut in the arguments': (frames: Frames): Act[] => [
    head(frames),
    send(...frames.begin, ...half(frames.body)),
    { do: 'cut' },
  ],
  'cut before the end': (frames: Frames): Act[] => [
    head(frames),
    send(...frames.begin, ...frames.body, ...frames.close),
    { do: 'cut' },
  ],
  'no terminal event': (frames: Frames): Act[] => [
    head(frames),
    send(...frames.begin, ...frames.body, ...frames.close),
  ],
  'no close at all': (frames: Frames): Act[] => [head(frames), send(...frames.begin, ...frames.body)],
  'empty body': (frames: Frames): Act[] => [head(frames)],
  'duplicate terminal': (frames: Frames): Act[] => [...whole(frames), send(...frames.terminal)],
  'words after the end': (frames: Frames): Act[] => [...whole(frames), send(...frames.body, ...frames.terminal)],
  'reordered indices': (frames: Frames): Act[] => [
    head(frames),
    send(shifted([...frames.begin, ...frames.body, ...frames.close, ...frames.terminal].join(''))),
  ],
  'garbage bytes': (frames: Frames): Act[] => [
    head(frames),
    { do: 'send', bytes: Uint8Array.from({ length: 600 }, (_, at) => (at * 7919) % 256) },
  ],
  'garbage in the middle': (frames: Frames): Act[] => [
    head(frames),
    send(...frames.begin, ...half(frames.body)),
    { do: 'send', bytes: Uint8Array.of(0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a, 0x0a) },
    send(...frames.close, ...frames.terminal),
  ],
  'bytes that are no text': (frames: Frames): Act[] => {
    const all = Buffer.from([...frames.begin, ...frames.body, ...frames.close, ...frames.terminal].join(''))
    // inside the quotes of a string, so that nothing else is wrong
    const at = all.findIndex((byte) => byte >= 0xc2)
    all[at < 0 ? all.indexOf('"m') + 1 : at] = 0xff
    return [head(frames), { do: 'send', bytes: all }]
  },
  'broken JSON': (frames: Frames): Act[] => [
    head(frames),
    send(
      ...frames.begin,
      frames.contentType.includes('ndjson') ? '{"message":\n' : 'data: {"type":\n\n',
      ...frames.terminal,
    ),
  ],
  'byte by byte': (frames: Frames): Act[] => {
    const all = joined([...frames.begin, ...frames.body, ...frames.close, ...frames.terminal])
    return [head(frames), ...crumbs(all).map((crumb): Act => ({ do: 'send', bytes: crumb }))]
  },
  silence: (frames: Frames): Act[] => [head(frames), send(...frames.begin, ...half(frames.body)), { do: 'hang' }],
  'silence at once': (frames: Frames): Act[] => [head(frames), { do: 'hang' }],
  'slow headers': (): Act[] => [{ do: 'hang' }],
  'late headers': (frames: Frames): Act[] => [{ do: 'wait', ms: 40 }, ...whole(frames)],
  'huge answer': (frames: Frames): Act[] => [
    head(frames),
    send(...frames.begin),
    { do: 'repeat', bytes: bytes('x'.repeat(64 * 1024)), times: 3_200 },
  ],
  'endless words': (frames: Frames): Act[] => [
    head(frames),
    send(...frames.begin, ...frames.body),
    { do: 'repeat', bytes: joined(new Array<string>(50).fill(frames.body.at(-1) as string)), times: 20_000 },
  ],
  'reset at once': (): Act[] => [{ do: 'cut' }],
} as const satisfies Readonly<Record<string, (frames: Frames, wire: Wire) => Act[]>>

export const faultNames = Object.keys(faults) as readonly FaultName[]

/** The first bytes one by one, the others by sevens. */
function crumbs(all: Uint8Array): Uint8Array[] {
  const out: Uint8Array[] = []
  for (let at = 0; at < all.length; at += at < 600 ? 1 : 7) out.push(all.subarray(at, at + (at < 600 ? 1 : 7)))
  return out
}

/** Everything up to the middle of the first character of more than one byte. */
function insideCharacter(frames: Frames): Uint8Array {
  const all = joined([...frames.begin, ...frames.body])
  const at = all.findIndex((byte) => byte >= 0xc2)
  return all.slice(0, at < 0 ? all.length - 3 : at + 1)
}

/** Indices that count from 3 and not from 0: the order of arrival is what counts. */
const shifted = (text: string): string =>
  text.replace(/"index":(\d+)/g, (_, digit: string) => `"index":${Number(digit) + 3}`)
