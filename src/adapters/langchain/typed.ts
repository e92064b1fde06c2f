/** What LangGraph's serializer gives, as JSON that any store takes, and back. */
import type { SerializerProtocol } from '@langchain/langgraph-checkpoint'

export interface Typed {
  readonly type: string
  /** JSON is kept as the text it is: it has no NUL and no half character, whatever it stands for. */
  readonly text?: string
  readonly base64?: string
}

export async function dump(serde: SerializerProtocol, value: unknown): Promise<Typed> {
  const [type, bytes] = await serde.dumpsTyped(value)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return type === 'json' ? { type, text: buffer.toString('utf8') } : { type, base64: buffer.toString('base64') }
}

export const loadTyped = (serde: SerializerProtocol, { type, text, base64 }: Typed): Promise<unknown> =>
  serde.loadsTyped(type, text ?? new Uint8Array(Buffer.from(base64 ?? '', 'base64')))
