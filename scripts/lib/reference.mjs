// docs/reference/operations.md: everything the product does, by every door, made from the list of operations.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { root } from './run.mjs'

const page = join(root, 'docs', 'reference', 'operations.md')

const intro = `# Operations

Made from the list in \`src/operations/list.ts\` by \`npm run docs\`.

Everything the product does, once. The same input gives the same answer over HTTP, as an MCP tool and at the terminal
(\`test/operations/parity.test.ts\`). Fields with a star are needed. Every operation can also refuse with \`invalid_request\`
(a field is wrong), \`forbidden\` (the key lacks the scope) and \`not_found\` (an id names nothing of yours).
`

/** Writes the page, or says whether it is stale. */
export async function referencePage(write) {
  const load = (file) => import(join(root, 'dist', file))
  const [{ operations }, { refusals }, { routes }, { tools }, { notCalled }] = await Promise.all(
    ['operations/list.js', 'operations/refusals.js', 'http/routes.js', 'mcp/tools/tools.js', 'cli/call.js'].map(load),
  )
  const text = referenceOf({ operations, refusals, routes, tools, notCalled })
  const stale = !existsSync(page) || readFileSync(page, 'utf8') !== text
  if (stale && write) {
    mkdirSync(dirname(page), { recursive: true })
    writeFileSync(page, text)
  }
  return stale && !write
}

export function referenceOf({ operations, refusals, routes, tools, notCalled }) {
  const sections = operations.map((operation) => section(operation, { routes, tools, notCalled }))
  const rows = Object.entries(refusals).map(
    ([code, [status, title, next]]) => `| \`${code}\` | ${status} | ${title} | ${next} |`,
  )
  const table = ['## Refusals', '', '| code | HTTP | what | what to do |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  )
  return `${[intro.trim(), ...sections, table].join('\n\n')}\n`
}

function section(operation, { routes, tools, notCalled }) {
  const { name, summary, detail, scope, kind, input, output, refusals } = operation
  const route = routes.find((one) => one.operation?.name === name)
  const tool = tools.find((one) => one.operation.name === name)
  return [
    `## ${name}`,
    '',
    `${summary}.${detail ? ` ${detail}` : ''}`,
    '',
    `- Scope: ${scope}`,
    ...(route ? [`- HTTP: \`${route.method.toUpperCase()} ${route.path}\``] : []),
    ...(tool ? [`- MCP: \`${tool.name}\``] : []),
    notCalled[name] ? `- CLI: ${notCalled[name]}` : `- CLI: \`throughline call ${name}\``,
    `- Answers: ${kind === 'stream' ? 'a stream of ' : ''}${shapeOf(output)}`,
    ...(refusals.length ? [`- Refuses with: ${refusals.map((code) => `\`${code}\``).join(', ')}`] : []),
    ...fieldsOf(input),
  ].join('\n')
}

function fieldsOf(input) {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  const rows = Object.entries(properties).map(([name, field]) => {
    const usual = field.default === undefined ? '' : ` (${JSON.stringify(field.default)})`
    const says = [field.description ?? '', usual].join('').trim().replaceAll('|', '\\|')
    return `| \`${name}\`${required.includes(name) ? ' *' : ''} | ${typeOf(field).replaceAll('|', '\\|')} | ${says} |`
  })
  return rows.length === 0 ? [] : ['', '| field | type | |', '| --- | --- | --- |', ...rows]
}

function typeOf(field) {
  if (field.$ref) return field.$ref.split('/').at(-1)
  if (field.const !== undefined) return `\`${field.const}\``
  if (field.enum) return field.enum.map((one) => `\`${one}\``).join(' | ')
  const choices = field.anyOf ?? field.oneOf
  if (choices) return [...new Set(choices.map(typeOf))].join(' | ')
  if (field.type === 'array') return `list of ${typeOf(field.items ?? {})}`
  return [field.type ?? 'any'].flat().join(' | ')
}

/** The name of a shape, or its fields. */
function shapeOf(output) {
  const { id } = z.globalRegistry.get(output) ?? {}
  if (id) return `\`${id}\``
  const { properties, type } = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' })
  if (properties)
    return Object.keys(properties)
      .map((name) => `\`${name}\``)
      .join(', ')
  return type === 'null' ? 'nothing' : 'the shape of `/openapi.json`'
}
