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
  const listed = [
    'operations/list',
    'operations/refusals',
    'operations/fields',
    'http/routes',
    'mcp/tools/tools',
    'cli/call',
  ]
  const text = referenceOf(Object.assign({}, ...(await Promise.all(listed.map((file) => load(`${file}.js`))))))
  const stale = !existsSync(page) || readFileSync(page, 'utf8') !== text
  if (stale && write) {
    mkdirSync(dirname(page), { recursive: true })
    writeFileSync(page, text)
  }
  return stale && !write
}

export function referenceOf({ operations, refusals, routes, mcpTools: tools, notCalled, fieldWords }) {
  const sections = operations.map((operation) => section(operation, { routes, tools, notCalled, fieldWords }))
  const rows = Object.entries(refusals).map(
    ([code, [status, title, next]]) => `| \`${code}\` | ${status} | ${title} | ${next} |`,
  )
  const table = ['## Refusals', '', '| code | HTTP | what | what to do |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  )
  return `${[intro.trim(), ...sections, table].join('\n\n')}\n`
}

function section(operation, { routes, tools, notCalled, fieldWords }) {
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
    ...rowsOf(fieldWords(input)),
  ].join('\n')
}

function rowsOf(fields) {
  const cell = (text) => text.replaceAll('|', '\\|')
  const rows = fields.map(({ name, needed, type, says, usual }) => {
    const words = [says, usual === null ? '' : ` (${usual})`].join('').trim()
    return `| \`${name}\`${needed ? ' *' : ''} | ${cell(type)} | ${cell(words)} |`
  })
  return rows.length === 0 ? [] : ['', '| field | type | |', '| --- | --- | --- |', ...rows]
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
