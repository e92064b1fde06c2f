import { isArraySchema, schemas, words } from './schema.js'
import { type Fields, fields, type JudgeRule, list, rows, type Scope, string } from './scope.js'

/** Function tools as both OpenAI APIs write them: nested under `function`, or flat. */
const functionsOf = ({ body, dialect }: Scope): readonly Fields[] =>
  rows(body.tools)
    .filter(({ type }) => type === 'function')
    .map((tool) => (dialect === 'responses' ? tool : fields(tool.function)))
const pathOf = ({ dialect }: Scope, index: number) => `tools[${index}]${dialect === 'responses' ? '' : '.function'}`
const unfit = ['oneOf', 'anyOf', 'allOf', 'enum', 'not']

export const tooLong = (path: string, most: number, length: number) =>
  [
    path,
    `Invalid '${path}': array too long. Expected an array with maximum length ${most}, but got an array with length ${length} instead.`,
  ] as const
export const longString = (path: string, most: number, length: number) =>
  [
    path,
    `Invalid '${path}': string too long. Expected a string with maximum length ${most}, but got a string with length ${length} instead.`,
  ] as const
export const missing = (path: string) => [path, `Missing required parameter: '${path}'.`] as const
export const notKnown = (path: string) => (key: string) =>
  [`${path}.${key}`, `Unknown parameter: '${path}.${key}'.`] as const
export const badName = (path: string) =>
  [
    path,
    `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
  ] as const
export const emptyList = (path: string) =>
  [
    path,
    `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
  ] as const
export const mustBe = (path: string, wanted: string, got: unknown) =>
  [
    path,
    `Invalid type for '${path}': expected ${wanted}, but got ${Array.isArray(got) ? 'an array' : `a ${typeof got}`} instead.`,
  ] as const
export const isName = (name: unknown): boolean => /^[a-zA-Z0-9_-]+$/.test(string(name))

/** Rules about tools that hold for both OpenAI APIs. */
export const openaiTools: readonly JudgeRule[] = [
  {
    id: 'O-13',
    *find({ body }) {
      const { length } = list(body.tools)
      if (length > 128) yield tooLong('tools', 128, length)
    },
  },
  {
    id: 'O-tool-name',
    *find(scope) {
      for (const [index, { name }] of functionsOf(scope).entries()) {
        const path = `${pathOf(scope, index)}.name`
        if (string(name) === '') yield missing(path)
        else if (!isName(name)) yield badName(path)
        else if (string(name).length > 64) yield longString(path, 64, string(name).length)
      }
    },
  },
  {
    id: 'O-tool-schema',
    *find(scope) {
      for (const [index, { name, parameters }] of functionsOf(scope).entries()) {
        if (parameters === undefined || parameters === null) continue
        const path = `${pathOf(scope, index)}.parameters`
        const root = fields(parameters)
        const said = `Invalid schema for function '${string(name)}'`
        if (root.type !== 'object' || unfit.some((key) => key in root)) {
          yield [
            path,
            `${said}: schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`,
          ]
        }
        for (const [at, schema] of schemas(root, path)) {
          if (isArraySchema(schema) && schema.items === undefined)
            yield [at, `${said}: In context=(), array schema missing items.`]
        }
      }
    },
  },
  {
    id: 'O-choice',
    *find({ body }) {
      const given = list(body.tools).length > 0
      for (const key of ['tool_choice', 'parallel_tool_calls']) {
        if (body[key] === undefined || given || body[key] === 'none') continue
        yield [key, `'${key}' is only allowed when 'tools' are specified.`]
      }
    },
  },
  {
    id: 'O-choice-name',
    *find(scope) {
      const choice = fields(scope.body.tool_choice)
      const name = string(scope.dialect === 'responses' ? choice.name : fields(choice.function).name)
      if (choice.type !== 'function' || functionsOf(scope).some((tool) => tool.name === name)) return
      yield ['tool_choice', `Tool choice '${name}' not found in 'tools' parameter.`]
    },
  },
]

/** Everything a body says, as one text, to look a word up. */
export const saidIn = (value: unknown): string => JSON.stringify(value ?? '')

export const imageMedia = words('image/png image/jpeg image/gif image/webp')
