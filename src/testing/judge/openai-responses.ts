import { dataUrl, sniff } from './image.js'
import {
  badName,
  imageMedia,
  isName,
  longString,
  missing,
  mustBe,
  notKnown,
  openaiTools,
  saidIn,
} from './openai-tools.js'
import { isContinued, itemsIn, typeOf } from './responses-items.js'
import { responsesReasoning } from './responses-reasoning.js'
import { repeated, unknownKeys, words } from './schema.js'
import { type Fields, fields, type JudgeRule, list, rows, string } from './scope.js'

/** Which output answers which call. Hosted calls answer themselves. */
const outputs: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
  local_shell_call: 'local_shell_call_output',
  shell_call: 'shell_call_output',
  apply_patch_call: 'apply_patch_call_output',
  computer_call: 'computer_call_output',
  tool_search_call: 'tool_search_output',
}
const types = words(
  `message reasoning item_reference compaction compaction_trigger additional_tools program program_output web_search_call file_search_call image_generation_call code_interpreter_call mcp_list_tools mcp_call mcp_approval_request mcp_approval_response ${Object.entries(outputs).flat().join(' ')}`,
)
const needs: Readonly<Record<string, string>> = {
  message: 'role content',
  function_call: 'call_id name arguments',
  function_call_output: 'call_id output',
  custom_tool_call: 'call_id name input',
  custom_tool_call_output: 'call_id output',
  compaction: 'encrypted_content',
  mcp_approval_response: 'approval_request_id approve',
}
const keys: Readonly<Record<string, string>> = {
  message: 'type id role content status phase',
  function_call: 'type id call_id name arguments status caller namespace',
  function_call_output: 'type id call_id output status caller',
}
const parts: Readonly<Record<string, string>> = {
  assistant: 'output_text refusal',
  user: 'input_text input_image input_file',
  system: 'input_text input_image input_file',
  developer: 'input_text input_image input_file',
}

/** A client runs a tool search only when it says so. */
const needsOutput = (item: Fields) =>
  typeOf(item) in outputs && !(typeOf(item) === 'tool_search_call' && item.execution !== 'client')
const spoken = (type: string) => type.replace(/_/g, ' ')

const items: readonly JudgeRule[] = [
  {
    id: 'R-required',
    *find({ body, model }) {
      if (!model && !body.prompt) yield missing('model')
      const given = typeof body.input === 'string' ? body.input !== '' : list(body.input).length > 0
      if (!given && !body.previous_response_id && !body.prompt && !body.conversation) yield missing('input')
    },
  },
  {
    id: 'R-type',
    *find(scope) {
      for (const [index, item] of itemsIn(scope).entries()) {
        if (!types.has(typeOf(item)))
          yield [
            `input[${index}]`,
            `Invalid value: '${typeOf(item)}'. Supported values are: ${[...types].map((name) => `'${name}'`).join(', ')}.`,
          ]
      }
    },
  },
  {
    id: 'R-fields',
    *find(scope) {
      for (const [index, item] of itemsIn(scope).entries()) {
        for (const key of words(needs[typeOf(item)] ?? '')) {
          if (key && (item[key] === undefined || item[key] === null)) yield missing(`input[${index}].${key}`)
        }
        const { arguments: given } = item
        if (typeOf(item) === 'function_call' && given !== undefined && typeof given !== 'string') {
          yield mustBe(`input[${index}].arguments`, 'a string', given)
        }
        if (
          typeOf(item) === 'function_call_output' &&
          item.output !== undefined &&
          typeof item.output !== 'string' &&
          !Array.isArray(item.output)
        ) {
          yield mustBe(`input[${index}].output`, 'one of an array of objects or string', item.output)
        }
      }
    },
  },
  {
    id: 'R-role',
    *find(scope) {
      for (const [index, item] of itemsIn(scope).entries()) {
        if (typeOf(item) !== 'message' || string(item.role) in parts) continue
        yield [
          `input[${index}].role`,
          `Invalid value: '${string(item.role)}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`,
        ]
      }
    },
  },
  {
    id: 'R-part',
    *find(scope) {
      for (const [index, { role, content }] of itemsIn(scope).entries()) {
        const known = words(parts[string(role)] ?? '')
        for (const [at, part] of rows(content).entries()) {
          if (!(string(role) in parts) || known.has(string(part.type))) continue
          const said = `Supported values are: ${[...known].map((name) => `'${name}'`).join(' and ')}.`
          yield [`input[${index}].content[${at}]`, `Invalid value: '${string(part.type)}'. ${said}`]
        }
      }
    },
  },
  {
    id: 'O-09',
    *find(scope) {
      const all = itemsIn(scope)
      for (const [index, item] of all.entries()) {
        if (!needsOutput(item)) continue
        const wanted = outputs[typeOf(item)]
        if (all.slice(index + 1).some((later) => typeOf(later) === wanted && later.call_id === item.call_id)) continue
        yield [`input[${index}]`, `No tool output found for ${spoken(typeOf(item))} ${string(item.call_id)}.`]
      }
    },
  },
  {
    id: 'R-orphan',
    *find(scope) {
      if (isContinued(scope)) return
      const all = itemsIn(scope)
      for (const [index, item] of all.entries()) {
        const call = Object.entries(outputs).find(([, output]) => output === typeOf(item))?.[0]
        if (call === undefined || (call === 'tool_search_call' && item.execution !== 'client')) continue
        if (all.slice(0, index).some((earlier) => typeOf(earlier) === call && earlier.call_id === item.call_id))
          continue
        yield [
          `input[${index}]`,
          `No tool call found for ${spoken(typeOf(item))} with call_id ${string(item.call_id)}.`,
        ]
      }
    },
  },
  {
    id: 'O-10',
    *find(scope) {
      const all = itemsIn(scope)
      for (const [index, item] of all.entries()) {
        if (typeOf(item) !== 'mcp_approval_request') continue
        if (all.some((other) => typeOf(other) === 'mcp_approval_response' && other.approval_request_id === item.id))
          continue
        yield [`input[${index}]`, `No approval response found for MCP approval request ${string(item.id)}.`]
      }
    },
  },
  {
    id: 'R-approval',
    *find(scope) {
      const all = itemsIn(scope)
      for (const [index, item] of all.entries()) {
        if (typeOf(item) !== 'mcp_approval_response' || isContinued(scope)) continue
        if (
          all
            .slice(0, index)
            .some((other) => typeOf(other) === 'mcp_approval_request' && other.id === item.approval_request_id)
        )
          continue
        yield [`input[${index}]`, `No MCP approval request found with id ${string(item.approval_request_id)}.`]
      }
    },
  },
  {
    id: 'R-call-id',
    *find(scope) {
      for (const [index, { call_id }] of itemsIn(scope).entries()) {
        const path = `input[${index}].call_id`
        if (call_id === '')
          yield [
            path,
            `Invalid '${path}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
          ]
        if (string(call_id).length > 64) yield longString(path, 64, string(call_id).length)
      }
    },
  },
  {
    id: 'R-name',
    *find(scope) {
      for (const [index, item] of itemsIn(scope).entries()) {
        if (typeOf(item) === 'function_call' && string(item.name) && !isName(item.name))
          yield badName(`input[${index}].name`)
      }
    },
  },
  {
    id: 'R-duplicate',
    *find(scope) {
      const id = repeated(
        itemsIn(scope).flatMap((item) =>
          string(item.id) && typeOf(item) !== 'item_reference' ? [string(item.id)] : [],
        ),
      )
      if (id !== undefined)
        yield ['input', `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`]
    },
  },
  {
    id: 'R-keys',
    *find(scope) {
      for (const [index, item] of itemsIn(scope).entries()) {
        const known = keys[typeOf(item)]
        if (known) yield* unknownKeys(item, words(known), notKnown(`input[${index}]`))
      }
    },
  },
  {
    id: 'R-image',
    *find(scope) {
      for (const [index, { content, output }] of itemsIn(scope).entries()) {
        for (const part of [...rows(content), ...rows(output)]) {
          const data = part.type === 'input_image' ? dataUrl(string(part.image_url)) : undefined
          if (data === undefined) continue
          const seen = sniff(data.data)?.media
          if (seen === undefined)
            yield [`input[${index}]`, 'The image data you provided does not represent a valid image.']
          else if (!imageMedia.has(seen) || !imageMedia.has(data.media))
            yield [`input[${index}]`, 'You uploaded an unsupported image.']
        }
      }
    },
  },
  {
    id: 'O-19-both',
    *find({ body }) {
      if (!body.previous_response_id || !body.conversation) return
      yield ['previous_response_id', "Mutually exclusive parameters: 'previous_response_id' and 'conversation'."]
    },
  },
  {
    id: 'R-json',
    *find({ body }) {
      const { format } = fields(body.text)
      if (
        fields(format).type !== 'json_object' ||
        /json/i.test(saidIn(body.input)) ||
        /json/i.test(string(body.instructions))
      )
        return
      yield [
        'input',
        "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      ]
    },
  },
]

/** Servers that speak Responses with rules of their own. */
const hosts: readonly JudgeRule[] = [
  {
    id: 'D-04',
    *find(scope) {
      if (scope.host !== 'deepseek') return
      const all = itemsIn(scope)
      for (const [index, item] of all.entries()) {
        if (typeOf(item) !== 'function_call') continue
        const rest = all.slice(index + 1)
        const end = rest.findIndex((other) => !/^function_call(_output)?$/.test(typeOf(other)))
        if (
          (end < 0 ? rest : rest.slice(0, end)).some(
            ({ call_id, output }) => call_id === item.call_id && output !== undefined,
          )
        )
          continue
        yield [`input[${index}]`, `No tool output found for tool call ${string(item.call_id)}`]
      }
    },
  },
  {
    id: 'X-03',
    *find(scope) {
      if (scope.host !== 'copilot') return
      for (const [index, item] of itemsIn(scope).entries()) {
        if (typeOf(item) === 'reasoning') yield [`input[${index}]`, '"reasoning" is not a valid input item type']
      }
    },
  },
  {
    id: 'X-04',
    status: 500,
    *find(scope) {
      if (scope.host !== 'llama.cpp') return
      for (const [index, item] of itemsIn(scope).entries()) {
        if (typeOf(item) === 'reasoning' && list(item.content).length === 0)
          yield [`input[${index}]`, "item['content'] is empty"]
      }
    },
  },
]

export const openaiResponses: readonly JudgeRule[] = [...items, ...responsesReasoning, ...openaiTools, ...hosts]
