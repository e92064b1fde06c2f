/** The OpenAPI 3.1 document of a list of routes. */
import type { z } from 'zod'
import { isPublic } from '../kit/auth.js'
import { namesIn, type Route } from '../kit/route.js'
import { type Json, jsonSchema, type Schemas } from './json-schema.js'
import { responsesOf } from './responses.js'

interface OpenApi extends Json {
  readonly openapi: '3.1.0'
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json }
}

export function openApi(routes: readonly Route[]): OpenApi {
  const schemas: Schemas = {}
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const methods = paths[route.path] ?? {}
    methods[route.method] = operationOf(route, schemas)
    paths[route.path] = methods
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Throughline',
      version: '1',
      description: 'Conversations that continue: an append-only log, windows that fit, receipts that explain.',
    },
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
    },
  }
}

function operationOf(route: Route, schemas: Schemas): Json {
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(route.detail === undefined ? null : { description: route.detail }),
    security: isPublic(route.scope) ? [] : [{ bearer: [] }, { key: [] }],
    'x-scope': route.scope,
    parameters: [...pathParameters(route), ...queryParameters(route, schemas), ...headerParameters(route)],
    ...(route.body === null
      ? null
      : {
          requestBody: {
            required: !route.body.safeParse(undefined).success,
            content: { 'application/json': { schema: jsonSchema(route.body, 'input', schemas), ...exampleOf(route) } },
          },
        }),
    ...(route.takes === null ? null : { requestBody: bytesOf(route.takes) }),
    responses: responsesOf(route, schemas),
  }
}

const bytesOf = ({ type, says }: Route['takes'] & {}): Json => ({
  required: true,
  description: says,
  content: { [type]: { schema: { type: 'string', format: 'binary' } } },
})

const exampleOf = ({ example }: Route): Json => (example.body === undefined ? {} : { example: example.body })

const pathParameters = ({ path, owned }: Route): Json[] =>
  namesIn(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 200 },
    ...(owned[name] === undefined ? null : { 'x-owned': owned[name] }),
  }))

function queryParameters({ query }: Route, schemas: Schemas): Json[] {
  if (query === null) return []
  return Object.entries(query.shape).map(([name, field]) => ({
    name,
    in: 'query',
    required: !(field as z.ZodType).safeParse(undefined).success,
    schema: jsonSchema(field as z.ZodType, 'input', schemas),
  }))
}

function headerParameters({ keyed, tagged, method }: Route): Json[] {
  const header = (name: string, description: string): Json => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })
  return [
    ...(keyed ? [header('Idempotency-Key', 'The same key and request again give the same answer')] : []),
    ...(tagged && method === 'get' ? [header('If-None-Match', 'An ETag; 304 when it is still the same')] : []),
    ...(tagged && method !== 'get' ? [header('If-Match', 'An ETag; 412 when it has changed')] : []),
  ]
}
