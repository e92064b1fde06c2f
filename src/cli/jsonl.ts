/** One request per line in, one answer per line out, in order; an answer is written before the next line is read. */
import { answerLine, type Reply, refusing } from './answer.js'
import { issueOf } from './kit/failure.js'
import { type Request, readRequest } from './kit/request.js'
import { type ByteLine, byteLines } from './lines.js'

/** `write` resolves when the reader can take more. `defaults` stand in for the fields that a request leaves out. */
export async function serveLines(
  input: AsyncIterable<Uint8Array>,
  write: (line: string) => Promise<void>,
  defaults: Request = {},
): Promise<void> {
  let line = 0
  for await (const bytes of byteLines(input)) {
    line++
    const said = await reply(bytes, line, defaults)
    if (said !== null) await write(said)
  }
}

async function reply(bytes: ByteLine, line: number, defaults: Request): Promise<string | null> {
  const parsed = parse(bytes, line)
  if (parsed === null) return null
  if (!parsed.ok) return written(parsed.answer)
  const asked = readRequest(parsed.value)
  if (!asked.ok) return written(refusing(idOf(parsed.value), asked.issue))
  return written(await answerLine({ ...defaults, ...asked.request }))
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly answer: Reply }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Null for a blank line. */
function parse(bytes: ByteLine, line: number): Parsed | null {
  const wrong = (reason: string): Parsed => ({
    ok: false,
    answer: refusing(null, { code: 'request.json', reason, message: `line ${line} ${reason}` }),
  })
  if (!bytes.ok) return wrong(`is too long (${bytes.length} bytes)`)
  let text: string
  try {
    text = utf8.decode(bytes.bytes)
  } catch {
    return wrong('is not valid UTF-8')
  }
  if (/^\s*$/.test(text)) return null
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch (error) {
    return wrong(`is not JSON: ${(error as Error).message}`)
  }
}

const idOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'id') ? (value as { id: unknown }).id : null

/** What cannot be written down, because it is nested too deeply, becomes a refusal; at worst one without its id. */
function written(said: Reply): string {
  try {
    return `${JSON.stringify(said)}\n`
  } catch (error) {
    const issue = issueOf(error)
    try {
      return `${JSON.stringify(refusing(said.id, issue))}\n`
    } catch {
      return `${JSON.stringify(refusing(null, issue))}\n`
    }
  }
}
