import { isArraySchema, repeated, schemas, unknownKeys, words } from './schema.js'
import { fields, type JudgeRule, list, rows, type Scope, string } from './scope.js'

const declared = ({ body }: Scope) => rows(body.tools).flatMap(({ functionDeclarations }) => rows(functionDeclarations))
const isFit = (name: unknown) => /^[a-zA-Z_][\w.:-]{0,63}$/.test(string(name))
/** The part of OpenAPI that `parameters` may use; `parametersJsonSchema` takes any schema. */
const schemaKeys = words(
  'type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum additionalProperties $ref $defs',
)

export const geminiTools: readonly JudgeRule[] = [
  {
    id: 'G-05',
    *find(scope) {
      const { length } = declared(scope)
      if (length > 512) yield ['tools', `At most 512 function declarations are allowed, got ${length}.`]
    },
  },
  {
    id: 'G-06',
    *find(scope) {
      const said =
        'Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.'
      for (const [at, { name }] of declared(scope).entries()) {
        if (!isFit(name)) yield [`tools[0].function_declarations[${at}].name`, said]
      }
      for (const [index, { parts }] of rows(scope.body.contents).entries()) {
        for (const [at, { functionCall, functionResponse }] of rows(parts).entries()) {
          const name = string(fields(functionCall).name) || string(fields(functionResponse).name)
          if (name && !isFit(name)) yield [`contents[${index}].parts[${at}]`, said]
        }
      }
    },
  },
  {
    id: 'G-duplicate',
    *find(scope) {
      const name = repeated(declared(scope).map((one) => string(one.name)))
      if (name !== undefined) yield ['tools', `Duplicate function declaration found: ${name}`]
    },
  },
  {
    id: 'G-schema',
    *find(scope) {
      for (const [at, { parameters }] of declared(scope).entries()) {
        for (const [path, schema] of schemas(fields(parameters), `tools[0].function_declarations[${at}].parameters`)) {
          yield* unknownKeys(schema, schemaKeys, (key) => [
            path,
            `Invalid JSON payload received. Unknown name "${key}" at '${path}': Cannot find field.`,
          ])
          if (isArraySchema(schema) && schema.items === undefined)
            yield [path, `* GenerateContentRequest.${path}.items: missing field.`]
          const known = Object.keys(fields(schema.properties))
          for (const name of list(schema.required)) {
            if (known.length > 0 && !known.includes(string(name)))
              yield [path, `* GenerateContentRequest.${path}.required: property is not defined`]
          }
        }
      }
    },
  },
  {
    id: 'G-config',
    *find(scope) {
      const { mode, allowedFunctionNames } = fields(fields(scope.body.toolConfig).functionCallingConfig)
      if (mode === undefined) return
      if (declared(scope).length === 0 && mode !== 'NONE' && mode !== 'AUTO') {
        yield ['toolConfig', 'Function calling config is set without function_declarations.']
      } else if (list(allowedFunctionNames).length > 0 && mode !== 'ANY' && mode !== 'VALIDATED') {
        yield ['toolConfig', 'Allowed function names should be set only when function calling mode is ANY.']
      }
    },
  },
]
