import { geminiTools } from './gemini-tools.js'
import { sniff } from './image.js'
import { unknownKeys, words } from './schema.js'
import { type Fields, fields, isFields, type JudgeRule, rows, type Scope, string } from './scope.js'

const data = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
]
const partKeys = words(`${data.join(' ')} thought thoughtSignature videoMetadata mediaResolution partMetadata`)
const media = words('image/png image/jpeg image/webp image/heic image/heif')
export const placeholder = 'skip_thought_signature_validator'
/** The placeholder once more, encoded by a client that took it for bytes. */
const encoded = Buffer.from(placeholder).toString('base64')

const contents = ({ body }: Scope): readonly Fields[] => rows(body.contents)
const partsOf = (content: Fields): readonly Fields[] => rows(content.parts)
const calls = (content: Fields) => partsOf(content).filter(({ functionCall }) => isFields(functionCall))
const answers = (content: Fields) => partsOf(content).filter(({ functionResponse }) => isFields(functionResponse))
const placed = (scope: Scope) =>
  contents(scope).flatMap((content, index) =>
    partsOf(content).map((part, at) => ({ part, path: `contents[${index}].parts[${at}]` })),
  )

/** Gemini 3 and newer check signatures; without a model, a signature in the history says it is one of them. */
function checksSignatures(scope: Scope): boolean {
  const found = /gemini-(\d+)/.exec(scope.model)
  if (/image/.test(scope.model)) return false
  return found ? Number(found[1]) >= 3 : placed(scope).some(({ part }) => string(part.thoughtSignature) !== '')
}

/** Where the current turn begins: behind the last user content that is more than function responses. */
const turnStart = (scope: Scope) =>
  contents(scope).findLastIndex(
    (content) => content.role !== 'model' && partsOf(content).some((part) => !isFields(part.functionResponse)),
  ) + 1

export const gemini: readonly JudgeRule[] = [
  ...geminiTools,
  {
    id: 'G-contents',
    *find(scope) {
      if (contents(scope).length === 0)
        yield ['contents', '* GenerateContentRequest.contents: contents is not specified']
    },
  },
  {
    id: 'G-role',
    *find(scope) {
      for (const [index, { role }] of contents(scope).entries()) {
        if (role === undefined || role === 'user' || role === 'model' || role === 'function') continue
        yield [`contents[${index}].role`, 'Please use a valid role: user, model.']
      }
    },
  },
  {
    id: 'G-parts',
    *find(scope) {
      for (const [index, content] of contents(scope).entries()) {
        const path = `contents[${index}].parts`
        if (partsOf(content).length === 0)
          yield [path, `* GenerateContentRequest.${path}: contents.parts must not be empty.`]
      }
    },
  },
  {
    id: 'G-data',
    *find(scope) {
      for (const { part, path } of placed(scope)) {
        const set = data.filter((key) => part[key] !== undefined && part[key] !== null)
        if (set.length === 0)
          yield [
            path,
            `* GenerateContentRequest.${path}.data: required oneof field 'data' must have one initialized field`,
          ]
        if (set.length > 1)
          yield [path, `Invalid value at '${path}' (oneof), oneof field 'data' is already set. Cannot set '${set[1]}'`]
        if (part.text === '' && !part.thoughtSignature && set.length === 1) {
          yield [
            path,
            'Unable to submit request because it must have a text parameter. Add a text parameter and try again.',
          ]
        }
      }
    },
  },
  {
    id: 'G-keys',
    *find(scope) {
      const said = (path: string) => (key: string) =>
        [path, `Invalid JSON payload received. Unknown name "${key}" at '${path}': Cannot find field.`] as const
      for (const [index, content] of contents(scope).entries()) {
        yield* unknownKeys(content, words('role parts'), said(`contents[${index}]`))
      }
      for (const { part, path } of placed(scope)) yield* unknownKeys(part, partKeys, said(path))
    },
  },
  {
    id: 'G-call-fields',
    *find(scope) {
      for (const { part, path } of placed(scope)) {
        for (const [key, wants] of [
          ['functionCall', 'args'],
          ['functionResponse', 'response'],
        ] as const) {
          if (!isFields(part[key])) continue
          const { name, [wants]: value } = fields(part[key])
          if (string(name) === '') yield [path, `* GenerateContentRequest.${path}.${key}.name: Name cannot be empty.`]
          if (value !== undefined && !isFields(value)) {
            yield [path, `Invalid value at '${path}.${key}.${wants}' (type.googleapis.com/google.protobuf.Struct)`]
          }
          if (key === 'functionResponse' && value === undefined)
            yield [path, `* GenerateContentRequest.${path}.${key}.response: Response cannot be empty.`]
        }
      }
    },
  },
  {
    id: 'G-04',
    *find(scope) {
      for (const [index, content] of contents(scope).entries()) {
        const before = contents(scope)[index - 1]
        if (calls(content).length === 0 || (before && before.role !== 'model')) continue
        yield [
          `contents[${index}]`,
          'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
        ]
      }
    },
  },
  {
    id: 'G-response-turn',
    *find(scope) {
      for (const [index, content] of contents(scope).entries()) {
        const before = contents(scope)[index - 1] ?? {}
        if (answers(content).length === 0 || calls(before).length > 0) continue
        yield [
          `contents[${index}]`,
          'Please ensure that function response turn comes immediately after a function call turn.',
        ]
      }
    },
  },
  {
    id: 'G-count',
    *find(scope) {
      for (const [index, content] of contents(scope).entries()) {
        const after = contents(scope)[index + 1] ?? {}
        if (calls(content).length === 0 || calls(content).length === answers(after).length) continue
        yield [
          `contents[${index}]`,
          'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
        ]
      }
    },
  },
  {
    id: 'G-01',
    *find(scope) {
      if (!checksSignatures(scope)) return
      const start = turnStart(scope)
      for (const [index, content] of contents(scope).entries()) {
        const first = index >= start ? calls(content)[0] : undefined
        if (first === undefined || string(first.thoughtSignature) !== '') continue
        const at = partsOf(content).indexOf(first)
        const said =
          'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.'
        const name = string(fields(first.functionCall).name)
        yield [
          `contents[${index}].parts[${at}]`,
          `${said} Additional data, function call \`default_api:${name}\`, position ${at + 1}.`,
        ]
      }
    },
  },
  {
    id: 'G-02',
    *find(scope) {
      for (const { part, path } of placed(scope)) {
        const signature = string(part.thoughtSignature)
        if (signature === '' || signature === placeholder) continue
        const entry = scope.issued?.find((one) => one.signature === signature)
        if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(signature))
          yield [path, `Invalid value at '${path}.thought_signature' (TYPE_BYTES), Base64 decoding failed`]
        else if (signature === encoded || (scope.issued !== undefined && entry === undefined))
          yield [path, 'Corrupted thought signature.']
        else if (entry && (entry.model !== scope.model || entry.account !== scope.account))
          yield [path, 'Invalid thought signature.']
      }
    },
  },
  {
    id: 'G-image',
    *find(scope) {
      for (const { part, path } of placed(scope)) {
        const { mimeType, data: bytes } = fields(part.inlineData)
        if (!string(mimeType).startsWith('image/')) continue
        if (!media.has(string(mimeType))) yield [path, `Unsupported MIME type: ${string(mimeType)}`]
        else if (!media.has(sniff(string(bytes))?.media ?? '')) yield [path, 'Unable to process input image.']
      }
    },
  },
  {
    id: 'G-size',
    *find({ body }) {
      if (Buffer.byteLength(JSON.stringify(body)) <= 100 * 1024 * 1024) return
      yield ['', 'Request payload size exceeds the limit: 104857600 bytes.']
    },
  },
  {
    id: 'G-system',
    *find({ body }) {
      if (body.systemInstruction === undefined) return
      const parts = rows(fields(body.systemInstruction).parts)
      if (parts.length > 0 && parts.every(({ text }) => string(text) !== '')) return
      yield [
        'systemInstruction',
        '* GenerateContentRequest.system_instruction.parts: contents.parts must not be empty.',
      ]
    },
  },
]
