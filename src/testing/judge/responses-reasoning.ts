import { itemsOf } from './ledger.js'
import { missing, notKnown, tooLong } from './openai-tools.js'
import { isContinued, itemsIn, typeOf } from './responses-items.js'
import { type Fields, fields, type JudgeRule, list, type Scope, string } from './scope.js'

const isReasoningModel = ({ model, body, host }: Scope) =>
  host === 'openai' && /^(o\d|gpt-[5-9])/.test(model) && fields(body.reasoning).effort !== 'none'
const reasoned = (item: Fields) => typeOf(item) === 'reasoning'
const isCall = (item: Fields) => /_call$/.test(typeOf(item))
/** What only a model writes. */
const isModels = (item: Fields) =>
  isCall(item) || typeOf(item) === 'compaction' || (typeOf(item) === 'message' && item.role === 'assistant')
const prefixes: Readonly<Record<string, string>> = { reasoning: 'rs', function_call: 'fc', message: 'msg' }

/** The items of the turn in front of an item, back to the last message that no model wrote. */
function turnBefore(all: readonly Fields[], index: number): readonly Fields[] {
  const start = all.slice(0, index).findLastIndex((item) => typeOf(item) === 'message' && item.role !== 'assistant')
  return all.slice(start + 1, index)
}

/** Whether the reasoning that an item came with is missing: known from the ledger, else guessed from its turn. */
function lacksReasoning(scope: Scope, index: number): boolean {
  const all = itemsIn(scope)
  const item = all[index] ?? {}
  const before = turnBefore(all, index)
  if (scope.issued === undefined) return !before.some(reasoned)
  const reply = scope.issued.map(itemsOf).find((pieces) => pieces.some(({ id }) => id === item.id)) ?? []
  const at = reply.findIndex(({ id }) => id === item.id)
  const own = reply.slice(0, at).findLast(reasoned)
  return (
    own !== undefined &&
    !before.some((earlier) => reasoned(earlier) && earlier.encrypted_content === own.encrypted_content)
  )
}

/** Whether a call that a client must answer comes between a message and its reasoning. */
function crossed(all: readonly Fields[], index: number): boolean {
  const nearest = all.slice(0, index).findLastIndex((item) => !isCall(item))
  return reasoned(all[nearest] ?? {}) && all.slice(nearest + 1, index).some((item) => 'call_id' in item)
}

export const responsesReasoning: readonly JudgeRule[] = [
  {
    id: 'O-01',
    *find(scope) {
      if (!isReasoningModel(scope) || isContinued(scope)) return
      for (const [index, item] of itemsIn(scope).entries()) {
        if (typeOf(item) !== 'function_call' || !string(item.id).startsWith('fc') || !lacksReasoning(scope, index))
          continue
        yield [
          `input[${index}]`,
          `Item '${string(item.id)}' of type 'function_call' was provided without its required 'reasoning' item.`,
        ]
      }
    },
  },
  {
    id: 'O-02',
    *find(scope) {
      if (!isReasoningModel(scope) || isContinued(scope)) return
      const all = itemsIn(scope)
      for (const [index, item] of all.entries()) {
        if (typeOf(item) !== 'message' || item.role !== 'assistant' || !string(item.id).startsWith('msg')) continue
        if (!lacksReasoning(scope, index) && !crossed(all, index)) continue
        yield [
          `input[${index}]`,
          `Item '${string(item.id)}' of type 'message' was provided without its required 'reasoning' item.`,
        ]
      }
    },
  },
  {
    id: 'O-03',
    *find(scope) {
      if (scope.host === 'copilot') return
      const all = itemsIn(scope)
      for (const [index, item] of all.entries()) {
        const next = all.slice(index + 1).find((later) => !reasoned(later))
        if (!reasoned(item) || (next && isModels(next))) continue
        yield [
          `input[${index}]`,
          `Item '${string(item.id)}' of type 'reasoning' was provided without its required following item.`,
        ]
      }
    },
  },
  {
    id: 'O-04',
    status: 404,
    *find(scope) {
      if (scope.body.store !== false || scope.host !== 'openai') return
      for (const [index, item] of itemsIn(scope).entries()) {
        const lost = typeOf(item) === 'item_reference' || (reasoned(item) && item.id && !item.encrypted_content)
        if (!lost) continue
        const said =
          'Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.'
        yield [`input[${index}]`, `Item with id '${string(item.id)}' not found. ${said}`]
      }
    },
  },
  {
    id: 'O-05',
    *find(scope) {
      if (scope.issued === undefined) return
      for (const [index, item] of itemsIn(scope).entries()) {
        const content = string(item.encrypted_content)
        if (!content) continue
        const entry = scope.issued.find(({ signature }) => signature === content)
        if (entry && entry.account === scope.account && entry.model === scope.model) continue
        yield [
          `input[${index}]`,
          `The encrypted content ${content.slice(0, 8)}... could not be verified. Reason: Encrypted content could not be decrypted or parsed. (invalid_encrypted_content)`,
        ]
      }
    },
  },
  {
    id: 'O-06',
    *find(scope) {
      if (scope.host !== 'openai') return
      for (const [index, item] of itemsIn(scope).entries()) {
        const { length } = list(item.content)
        if (reasoned(item) && length > 0) yield tooLong(`input[${index}].content`, 0, length)
      }
    },
  },
  {
    id: 'O-07',
    *find(scope) {
      for (const [index, item] of itemsIn(scope).entries()) {
        const start = prefixes[typeOf(item)]
        const path = `input[${index}]`
        if (start && item.id !== undefined && item.id !== null && !string(item.id).startsWith(start)) {
          yield [
            `${path}.id`,
            `Invalid '${path}.id': '${string(item.id)}'. Expected an ID that begins with '${start}'.`,
          ]
        }
        if (reasoned(item) && !Array.isArray(item.summary)) yield missing(`${path}.summary`)
      }
    },
  },
  {
    id: 'O-08',
    *find(scope) {
      for (const [index, item] of itemsIn(scope).entries()) {
        if (!reasoned(item)) continue
        for (const key of Object.keys(item)) {
          if (!['type', 'id', 'summary', 'content', 'encrypted_content'].includes(key))
            yield notKnown(`input[${index}]`)(key)
        }
      }
    },
  },
]
