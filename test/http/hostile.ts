/** Requests that mean harm. */
import { connect } from 'node:net'

const nested = (levels: number, open: string, close: string, core = '') =>
  open.repeat(levels) + core + close.repeat(levels)
const inTitle = (json: string) => `{"title":${json}}`
const many = (count: number, one: (i: number) => string) => Array.from({ length: count }, (_, i) => one(i)).join(',')

/** Bodies that no route may take, as bytes. */
export const bodies: readonly (readonly [name: string, bytes: Uint8Array<ArrayBuffer>])[] = [
  ...(
    [
      ['__proto__', '{"__proto__":{"admin":true}}'],
      ['__proto__ inside', '{"meta":{"a":{"__proto__":{"admin":true}}}}'],
      ['__proto__ escaped', '{"\\u005f\\u005fproto\\u005f\\u005f":{}}'],
      ['constructor', '{"constructor":{"prototype":{"admin":true}}}'],
      ['prototype', '{"meta":{"prototype":1}}'],
      ['a key twice', '{"title":"a","title":"b"}'],
      ['a key twice, escaped', '{"title":"a","\\u0074itle":"b"}'],
      ['33 lists', nested(33, '[', ']')],
      ['33 objects', nested(33, '{"a":', '}', '1')],
      ['100,000 lists', nested(100_000, '[', ']')],
      ['100,000 lists without an end', '['.repeat(100_000)],
      ['400,000 openings', '[{"a":'.repeat(66_000)],
      ['a million numbers', `[${'1,'.repeat(500_000)}1]`],
      ['200,000 keys', `{${many(60_000, (i) => `"k${i}":0`)}}`],
      ['200,000 empty lists', `[${many(200_000, () => '[]')}]`],
      ['1e999', inTitle('1e999')],
      ['-1e999', '{"limit":-1e999}'],
      ['a number of 100,000 digits', inTitle('9'.repeat(100_000))],
      ['lone high surrogate', inTitle('"\\ud800"')],
      ['lone low surrogate', inTitle('"\\udfff x"')],
      ['surrogates the wrong way round', inTitle('"\\udc00\\ud83d"')],
      ['NUL', inTitle('"a\\u0000b"')],
      ['NUL in a key', '{"a\\u0000":1}'],
      ['a raw control character', inTitle('"\u0001"')],
      ['a raw line break', inTitle('"a\nb"')],
      ['a comment', '{/* x */"title":"a"}'],
      ['a trailing comma', '{"title":"a",}'],
      ['single quotes', "{'title':'a'}"],
      ['NaN', inTitle('NaN')],
      ['Infinity', inTitle('-Infinity')],
      ['undefined', 'undefined'],
      ['two documents', '{}{}'],
      ['half a document', '{"title":"a"'],
      ['half a string', '"abc'],
      ['half an escape', '"\\u12'],
      ['a bad escape', '"\\x41"'],
      ['null', 'null'],
      ['a list', '[]'],
      ['a number', '42'],
      ['a truth', 'true'],
      ['only blanks', '   \n\t '],
      ['a byte order mark', '\ufeff{}'],
      ['unknown fields', '{"$where":"1==1","isAdmin":true}'],
      ['getters', '{"toString":1,"valueOf":1,"then":1,"toJSON":1,"hasOwnProperty":1}'],
      ['operators', '{"title":{"$gt":""},"id":{"$ne":null}}'],
      [
        'every type wrong',
        '{"title":[],"branch":{},"message":7,"messages":"x","head_id":9,"at":{},"value":"1","prompt":[]}',
      ],
      ['huge string', inTitle(`"${'x'.repeat(900_000)}"`)],
      ['more than a mebibyte', inTitle(`"${'x'.repeat(1_100_000)}"`)],
    ] as const
  ).map(([name, text]) => [name, new TextEncoder().encode(text)] as const),
  ['UTF-16', utf16('{"title":"a"}', false)],
  ['UTF-16 with a mark', utf16('{"title":"a"}', true)],
  ['UTF-32', Uint8Array.from([...'{"title":"a"}'].flatMap((char) => [char.charCodeAt(0), 0, 0, 0]))],
  ['Latin-1', Uint8Array.from([0x22, 0xe4, 0x22])],
  ['overlong UTF-8', Uint8Array.from([0x22, 0xc0, 0x80, 0x22])],
  ['surrogates in UTF-8', Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['half a character', Uint8Array.from([0x22, 0xf0, 0x9f, 0x98])],
  ['gzip', Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
]

function utf16(text: string, mark: boolean): Uint8Array<ArrayBuffer> {
  const units = [...(mark ? '\ufeff' : ''), ...text].map((char) => char.charCodeAt(0))
  return Uint8Array.from(units.flatMap((unit) => [unit & 255, unit >> 8]))
}

/** What may stand where an id is expected. */
export const ids: readonly string[] = [
  '%00',
  '%ff',
  '%zz',
  '%ED%A0%80',
  '..%2f..%2fetc%2fpasswd',
  "1'%20or%20'1'='1",
  '%22;drop%20table%20entry;--',
  '__proto__',
  'constructor',
  '%F0%9F%98%80',
  '%20',
  '*',
  'null',
  '-1',
  '1e999',
  'x'.repeat(201),
  'x'.repeat(3_000),
]

/** Fields of a query that no route may take. */
export const queries: readonly string[] = [
  'limit=0',
  'limit=101000',
  'limit=1e3',
  'limit=-1',
  'limit=NaN',
  'limit=0x10',
  'limit=',
  'limit=5&limit=6',
  'limit[]=5',
  '__proto__=1',
  '__proto__[x]=1',
  'constructor=1',
  'a=%00',
  'colour=red',
  `q${'x'.repeat(4_000)}=1`,
  '%ff=1',
  '=',
]

/** Headers on an honest body that make it a dishonest one. */
export const headers: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': `application/json;${'x'.repeat(4_000)}` },
  { 'content-type': 'application/jsonx' },
  { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  { 'content-type': 'application/json', 'content-encoding': 'br, gzip' },
  { 'content-type': 'application/json', 'content-encoding': 'deflate' },
  { 'content-type': 'application/json', origin: 'null' },
  { 'content-type': 'application/json', origin: 'https://evil.example' },
]

/** What a socket may say that is no request, or only half of one. */
export const lines: readonly string[] = [
  'GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
  'GET /docs HTTP/1.1\r\nConnection: close\r\n\r\n',
  'GET /docs HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
  'BREW /pot HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'GET /docs\r\n\r\n',
  'GET http://evil.example/docs HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
  'GET /api/v1/conversations HTTP/1.1\r\nHost: localhost:1@evil.example\r\nConnection: close\r\n\r\n',
  'POST /api/v1/conversations HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}',
  'POST /api/v1/conversations HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n{}',
  'POST /api/v1/conversations HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}',
  'POST /api/v1/conversations HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  `GET /docs HTTP/1.1\r\nHost: localhost\r\n${'X-A: b\r\n'.repeat(10_000)}\r\n`,
  `GET /docs HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`,
  `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  'GET /docs HTTP/9.9\r\nHost: localhost\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0000\u0005\u0001\u0000\u0000\u0001\u0003',
  '\r\n\r\n\r\n',
]

/** Says it, and returns the status of the answer; 0 when the line was cut without one. */
export function speak(port: number, words: string): Promise<number> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(words, 'latin1'))
    const end = () => {
      socket.destroy()
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1] ?? 0))
    }
    socket.setTimeout(1_000, end)
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1')
      if (heard.includes('\r\n\r\n')) end()
    })
    socket.on('error', end)
    socket.on('close', end)
  })
}
