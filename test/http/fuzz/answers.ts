/** Is an answer one that the document tells of? */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Document, Operation } from './arbitrary.js'

export interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

export function checker(document: Document): (operation: Operation, answer: Answer) => string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document as object, 'api')
  const known = new Map<string, ValidateFunction>()
  const validatorOf = (pointer: string): ValidateFunction => {
    const found = known.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` })
    known.set(pointer, found)
    return found
  }
  const places = placesOf(document)
  return (operation, { status, type, text }) => {
    if (status >= 500) return [`${status}: ${text.slice(0, 200)}`]
    const told = operation.responses[status]
    if (!told) return [`${status} is not documented: ${text.slice(0, 200)}`]
    if (!told.content) return text === '' ? [] : [`${status} has a body that is not documented`]
    const bare = type.split(';')[0] ?? ''
    const form = bare in told.content ? bare : '*/*'
    if (!(form in told.content)) return [`${status} is ${bare}, which is not documented`]
    if (!told.content[form]?.schema) return []
    const pointer = [places.get(operation.operationId), 'responses', status, 'content', form, 'schema']
      .map(stepOf)
      .join('/')
    const validate = validatorOf(pointer)
    return validate(JSON.parse(text))
      ? []
      : [`${status} is not as documented: ${ajv.errorsText(validate.errors)}: ${text.slice(0, 300)}`]
  }
}

function placesOf({ paths }: Document): Map<string, string> {
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => [operationId, `/paths/${stepOf(path)}/${method}`] as const,
    ),
  )
  return new Map(entries)
}

/** As a JSON pointer in a URI has it; what is a pointer already stays. */
function stepOf(step: unknown): string {
  const text = String(step)
  if (text.startsWith('/paths/')) return text
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
}
