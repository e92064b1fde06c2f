/** A history of OpenAI's items that this service made shorter, as one item. */
import { fieldsOf, recordIn } from '../../core/message/fields.js'

/** Before items of ours that stand in one, so that no other provider's are taken for them. */
const mark = 'throughline.'

/** Its client hands it back as it is. */
export const packed = (items: readonly object[]): string =>
  mark + Buffer.from(JSON.stringify({ items })).toString('base64')

export function unpacked(item: unknown): readonly unknown[] {
  const { type, encrypted_content: kept } = fieldsOf(item)
  if (type !== 'compaction' || typeof kept !== 'string' || !kept.startsWith(mark)) return [item]
  const { items } = recordIn(Buffer.from(kept.slice(mark.length), 'base64').toString()) ?? {}
  return Array.isArray(items) ? items : [item]
}
