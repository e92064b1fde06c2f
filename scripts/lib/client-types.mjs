// src/client/wire.ts: the types of the client, made from the schemas of the operations.
import { join } from 'node:path'
import { z } from 'zod'
import { biome, root } from './run.mjs'

const file = 'src/client/wire.ts'
export const wireFile = join(root, file)

const intro = '// Made from the schemas of src/operations by `npm run client`. Do not edit: `npm run check` compares.\n'

/** Shapes that core defines: the schema on the wire describes its type and is no second one. */
const cores = {
  Issue: ['Issue', '../core/message/issue.js'],
  Receipt: ['Receipt', '../core/receipt/receipt.js'],
  TextPart: ['TextPart', '../core/message/item.js'],
  ThinkPart: ['ThinkPart', '../core/message/item.js'],
  FilePart: ['FilePart', '../core/message/item.js'],
  CallPart: ['CallPart', '../core/message/item.js'],
}

/** Routes that are no operation, and whose shapes the client needs. */
const alone = ['chat', 'getSystem']

/** Names for what goes in and out of the operations that a caller writes most, each with a line that says what it is. */
const nicknames = [
  ["Input<Name extends keyof Operations> = Operations[Name]['input']", 'What an operation takes, by its name.'],
  ["Output<Name extends keyof Operations> = Operations[Name]['output']", 'What an operation answers, by its name.'],
  ['Page<T> = { readonly items: readonly T[]; readonly next_cursor: string | null }', 'A page of anything.'],
  ["Paging = Pick<Input<'conversations.list'>, 'limit' | 'cursor'>", 'How much of a list, and from where on.'],
  ["NewConversation = Input<'conversations.create'>", 'A conversation to begin, all of it optional.'],
  ["ConversationPatch = Body<'conversations.update'>", 'What to change of a conversation; the rest stays.'],
  ["ConversationFilter = Omit<Input<'conversations.list'>, keyof Paging>", 'Which conversations to list.'],
  ["Effort = NonNullable<NewConversation['effort']>", 'How long a model may think.'],
  [
    "RecallFrom = NonNullable<NewConversation['recall']>",
    "Where recall looks: only here; also at what is known; also at the workspace's other conversations.",
  ],
  ["Label = Output<'labels.list'>['tags'][number]", 'A tag, and how many conversations have it.'],
  ["Tree = Output<'tree.get'>", 'Every branch of a conversation, one line for each message.'],
  ["TreeQuery = Body<'tree.get'>", 'How much of a tree.'],
  ["MessageQuery = Body<'messages.list'>", 'Which messages, of which branch.'],
  ["AppendRequest = Omit<Body<'messages.append'>, 'title'>", 'Messages to append, and where.'],
  ["EditRequest = Body<'messages.edit'>", 'A message in other words, on a branch of its own.'],
  ["AgainRequest = Body<'messages.regenerate'>", 'Another answer to the same message.'],
  ["RatingRequest = Body<'messages.rate'>", "A reader's verdict on an answer."],
  ["SearchQuery = Input<'messages.search'>", 'What to look for, and in which conversations.'],
  ["Found = Output<'messages.search'>", 'The hits of a search, best first.'],
  ["RunRequest = Body<'runs.start'>", 'An answer to begin: the message, the model, the policy.'],
  ["RunSettings = NonNullable<AgainRequest['run']>", 'What one answer has of its own: model, policy, limits.'],
  ["RunUsage = NonNullable<Output<'runs.get'>['usage']>", 'Tokens that an answer used, as the provider counted.'],
  ["Decision = Body<'runs.decide'>", 'Whether a call that waits may run.'],
  ["ChatRequest = Omit<Input<'chat'>, 'stream'>", 'A message for `POST /chat`, and who says it.'],
  ["AssembleRequest = Input<'windows.assemble'>", 'Messages to make a window of; nothing is kept.'],
  [
    "WhatIf = Body<'receipts.what_if'>",
    'What to change of a window that was sent, to see what else would have come out.',
  ],
  ["NewMemory = Input<'memories.add'>", 'Something to know beyond one conversation.'],
  ["MemoryPatch = Omit<Input<'memories.correct'>, 'memory_id'>", 'What to correct of a memory.'],
  ["MemoryKind = Output<'memories.get'>['kind']", 'What sort of thing a memory is.'],
  ["NewShare = Body<'shares.create'>", 'What of a conversation to show to anyone with the link.'],
  ["NewConnection = Input<'connections.add'>", 'A provider to connect: where it is, and its key.'],
  ["ConnectionList = Output<'connections.list'>", 'The providers that are connected.'],
  ["OfferedModel = Output<'offers.list'>['models'][number]", 'A model that a connected provider offers.'],
  ["UsageFigures = Output<'usage.get'>['totals']", 'Tokens and money of a period.'],
  ["NewToolServer = Input<'tool_servers.add'>", 'An MCP server whose tools answers may call.'],
  ["ToolApproval = Output<'tool_servers.add'>['approval']", 'Whether a call asks first.'],
  ["Imported = Output<'transfer.import'>", 'What an import brought in, and what it could not read.'],
]

/** The file as it is to be, formatted, from the built operations and routes. */
export async function wireTypes() {
  const load = (path) => import(join(root, 'dist', path))
  const [{ operations }, { routes }] = await Promise.all(['operations/list.js', 'http/routes.js'].map(load))
  return formatted(wireOf({ operations, routes }))
}

export const formatted = async (text) => (await biome(['format', `--stdin-file-path=${file}`], { input: text })).stdout

export function wireOf({ operations, routes }) {
  const names = new Map()
  const calls = [
    ...operations.map(({ name, input, output, summary }) => ({ name, input, output, summary })),
    ...routes.filter(({ name }) => alone.includes(name)).map(callOf),
  ]
  const rows = calls.map(({ name, input, output, summary }) => {
    const given = schemaOf(input, 'input', names)
    const told = schemaOf(output, 'output', names)
    return { name, summary, given, told }
  })
  const named = reached(rows, names)
  const known = [...names].filter(([name]) => named.has(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  const print = printer(new Map(known))
  const shapes = known.map(([name, schema]) => `${says(schema)}export ${declared(name, schema, print)}\n`)
  const entries = rows.map(
    ({ name, summary, given, told }) =>
      `/** ${summary} */\n'${name}': { readonly input: ${print(given)}; readonly output: ${print(told)} }`,
  )
  const body = [
    ...shapes,
    `/** What goes in and what comes out, by operation. */\nexport interface Operations {\n${entries.join('\n')}\n}\n`,
    `/** What is said besides the ids of the path. */\ntype Body<Name extends keyof Operations> = Omit<Input<Name>, 'conversation_id' | 'message_id' | 'run_id' | 'receipt_id'>\n`,
    ...nicknames.map(([type, says]) => `/** ${says} */\nexport type ${type}`),
  ]
  return [intro, importsOf(body.join('\n')), ...body].join('\n')
}

/** The names of the shapes that are needed; what is only in a shape of core is not. */
function reached(from, names, found = new Set()) {
  for (const [, name] of JSON.stringify(from).matchAll(/"#\/\$defs\/(\w+)"/g)) {
    if (name in cores || found.has(name)) continue
    reached(names.get(name), names, found.add(name))
  }
  return found
}

/** A route by hand, as an operation. */
const callOf = ({ name, summary, body, answers }) => ({
  name,
  summary,
  input: body ?? z.strictObject({}),
  output: Object.values(answers)[0],
})

function importsOf(body) {
  const used = Object.values(cores).filter(([name]) => new RegExp(`\\b${name}\\b`).test(body))
  const files = [...new Set(used.map(([, from]) => from))].sort()
  return files
    .map(
      (from) =>
        `import type { ${used
          .filter((one) => one[1] === from)
          .map(([name]) => name)
          .sort()
          .join(', ')} } from '${from}'\n`,
    )
    .join('')
}

/** The JSON Schema; shapes with a name are collected. */
function schemaOf(schema, io, names) {
  const { $schema: _, $defs = {}, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  for (const [name, inner] of Object.entries($defs)) names.set(name, inner)
  if (made.id === undefined) return made
  names.set(made.id, made)
  return { $ref: `#/$defs/${made.id}` }
}

const says = ({ description }) =>
  description && description !== 'ISO 8601' ? `/** ${description.replaceAll('*/', '*\\/')} */\n` : ''

const declared = (name, schema, print) =>
  isPlain(schema) ? `interface ${name} ${print(schema, name)}` : `type ${name} = ${print(schema, name)}`

const isPlain = (schema) => schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0

function printer(known) {
  const print = (schema, self) => {
    if (schema.$ref) return schema.$ref.split('/').at(-1)
    if (schema.const !== undefined) return literal(schema.const)
    if (schema.enum) return schema.enum.map(literal).join(' | ')
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return union(choices)
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => ({ ...schema, type })))
    if (schema.type === 'array') return list(schema)
    if (schema.type === 'object') return object(schema, self)
    return (
      { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }[schema.type] ??
      'unknown'
    )
  }

  /** What all of them have is said once. */
  const union = (choices) => {
    const fields = choices.map(({ properties }) => properties ?? {})
    const same = Object.keys(fields[0]).filter((name) =>
      fields.every((one) => JSON.stringify(one[name]) === JSON.stringify(fields[0][name])),
    )
    if (choices.length < 2 || same.length < 3) return [...new Set(choices.map((one) => print(one)))].join(' | ')
    const pick = (schema, keep) => ({
      ...schema,
      properties: Object.fromEntries(Object.entries(schema.properties).filter(([name]) => keep(name))),
    })
    const shared = print(pick(choices[0], (name) => same.includes(name)))
    const rest = choices.map((one) => print(pick(one, (name) => !same.includes(name))))
    return `${shared} & (${rest.join(' | ')})`
  }

  const list = ({ prefixItems, items, minItems, maxItems }) => {
    if (prefixItems) return `readonly [${prefixItems.map((one) => print(one)).join(', ')}]`
    const item = print(items ?? {})
    if (minItems !== undefined && minItems === maxItems) return `readonly [${Array(minItems).fill(item).join(', ')}]`
    return `readonly ${isOne(item) ? item : `(${item})`}[]`
  }

  const object = (schema, self) => {
    const { properties = {}, required = [], additionalProperties } = schema
    const fields = Object.entries(properties)
    const more = typeof additionalProperties === 'object' ? print(additionalProperties) : null
    if (fields.length === 0)
      return more === null ? 'Readonly<Record<string, never>>' : `Readonly<Record<string, ${more}>>`
    const base = self ? null : baseOf(properties, required)
    const own = fields.filter(([name]) => !base?.fields.has(name))
    const lines = own.map(
      ([name, field]) => `${says(field)}readonly ${name}${required.includes(name) ? '' : '?'}: ${print(field)}`,
    )
    // an interface has no index signature: what has the fields is accepted without one, too
    const bare = more !== null && !self ? ` | ${braced(lines)}` : ''
    if (more !== null) lines.push(`readonly [name: string]: ${more}`)
    if (base && lines.length === 0) return base.name
    return `${base ? `${base.name} & ` : ''}${self ? `{\n${lines.join('\n')}\n}` : braced(lines)}${bare}`
  }

  /** A named shape whose fields are all here, the largest of them. */
  const baseOf = (properties, required) => {
    const fits = [...known].filter(
      ([, shape]) =>
        shape.properties &&
        Object.keys(shape.properties).length > 2 &&
        Object.entries(shape.properties).every(
          ([name, field]) =>
            JSON.stringify(properties[name]) === JSON.stringify(field) &&
            required.includes(name) === (shape.required ?? []).includes(name),
        ),
    )
    const [best] = fits.sort(([, a], [, b]) => Object.keys(b.properties).length - Object.keys(a.properties).length)
    return best && { name: best[0], fields: new Set(Object.keys(best[1].properties)) }
  }

  return print
}

/** On one line if no field needs a line of its own; the formatter breaks what is too long. */
const braced = (lines) =>
  lines.some((line) => line.includes('\n')) ? `{\n${lines.join('\n')}\n}` : `{ ${lines.join('; ')} }`

/** A name, or one object: what needs no parentheses before `[]`. */
const isOne = (item) => /^(?:\w+|\{[^{}\n]*\})$/.test(item) || (item.startsWith('{\n') && !/^\}./m.test(item))

const literal = (value) => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value))
