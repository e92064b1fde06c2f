import { messagesOf, nested, placed } from './claude.js'
import { repeated, unknownKeys, words } from './schema.js'
import { type Fields, fields, isFields, type JudgeRule, list, rows, string } from './scope.js'

/** Per block: the roles it may be in, the keys it must have and those it may have. `cache_control` is listed apart. */
interface Shape {
  readonly roles: string
  readonly needs: string
  readonly may: string
}
const result: Shape = { roles: 'assistant', needs: 'tool_use_id content', may: 'cache_control caller' }
const shapes: Readonly<Record<string, Shape>> = {
  text: { roles: 'user assistant system', needs: 'text', may: 'cache_control citations' },
  image: { roles: 'user', needs: 'source', may: 'cache_control transformations' },
  document: { roles: 'user', needs: 'source', may: 'cache_control citations context title' },
  search_result: { roles: 'user', needs: 'content source title', may: 'cache_control citations' },
  container_upload: { roles: 'user assistant', needs: 'file_id', may: 'cache_control' },
  tool_reference: { roles: '', needs: 'tool_name', may: 'cache_control' },
  thinking: { roles: 'assistant', needs: 'thinking', may: 'signature' },
  redacted_thinking: { roles: 'assistant', needs: 'data', may: '' },
  tool_use: { roles: 'assistant', needs: 'id input name', may: 'cache_control caller toolset_name' },
  tool_result: { roles: 'user', needs: 'tool_use_id', may: 'cache_control content is_error toolset_name' },
  server_tool_use: { roles: 'assistant', needs: 'id input name', may: 'cache_control caller' },
  mcp_tool_use: { roles: 'assistant', needs: 'id input name server_name', may: 'cache_control' },
  mcp_tool_result: { roles: 'assistant', needs: 'tool_use_id', may: 'cache_control content is_error' },
  mcp_tool_listing: { roles: 'assistant', needs: 'mcp_server_name tools', may: '' },
  compaction: { roles: 'assistant', needs: '', may: 'cache_control content encrypted_content signature tool_changes' },
  fallback: { roles: 'assistant', needs: 'from to', may: 'trigger' },
  tool_addition: { roles: 'user system', needs: 'tool', may: 'cache_control' },
  tool_removal: { roles: 'user system', needs: 'tool', may: 'cache_control' },
  web_search_tool_result: result,
  web_fetch_tool_result: result,
  advisor_tool_result: result,
  code_execution_tool_result: result,
  bash_code_execution_tool_result: result,
  text_editor_code_execution_tool_result: result,
  tool_search_tool_result: result,
}
const insideResult = words('text image document search_result tool_reference')
const topKeys = words(
  'max_tokens messages model anthropic_version anthropic_beta cache_control compaction container context_management diagnostics fallback_credit_token fallbacks inference_geo mcp_servers metadata output_config output_format service_tier speed stop_sequences stream system temperature thinking thread tool_choice tools top_k top_p',
)
const toolKeys = words(
  'input_schema name allowed_callers cache_control defer_loading description eager_input_streaming input_examples strict type',
)
/** Keys that need a beta header, by the start of its name. */
const betas = { context_management: 'context-management', compaction: 'compact', mcp_servers: 'mcp-client' }

export const anthropicShape: readonly JudgeRule[] = [
  {
    id: 'A-required',
    *find({ body, model, host }) {
      if (!Number.isInteger(body.max_tokens)) yield ['max_tokens', 'max_tokens: Field required']
      if (!model && host !== 'bedrock') yield ['model', 'model: Field required']
      if (!Array.isArray(body.messages)) yield ['messages', 'messages: Field required']
      else if (body.messages.length === 0) yield ['messages', 'messages: at least one message is required']
    },
  },
  {
    id: 'A-content',
    *find(scope) {
      for (const [index, { role, content, output_config }] of messagesOf(scope).entries()) {
        if (typeof content === 'string' || Array.isArray(content)) continue
        if (role === 'system' && output_config !== undefined) continue
        const path = `messages.${index}.content`
        yield [path, `${path}: ${content === undefined ? 'Field required' : 'Input should be a valid list'}`]
      }
    },
  },
  {
    id: 'A-block',
    *find(scope) {
      for (const { block, path } of nested(scope)) {
        const type = string(block.type)
        if (!(type in shapes)) {
          const said = `Input tag '${type}' found using 'type' does not match any of the expected tags`
          yield [path, `${path}: ${said}: ${Object.keys(shapes).join(', ')}`]
        }
      }
    },
  },
  {
    id: 'A-place',
    *find(scope) {
      const outer = new Set(placed(scope).map(({ path }) => path))
      for (const { block, path, role } of nested(scope)) {
        const type = string(block.type)
        const shape = shapes[type]
        if (!shape || !/^(user|assistant|system)$/.test(role)) continue
        const fits = outer.has(path) ? words(shape.roles).has(role) : insideResult.has(type)
        if (fits) continue
        const said = outer.has(path)
          ? `can only be in \`${shape.roles}\` messages`
          : 'are not permitted in `tool_result`'
        yield [path, `${path}: \`${type}\` blocks ${said}`]
      }
    },
  },
  {
    id: 'A-fields',
    *find(scope) {
      for (const { block, path } of nested(scope)) {
        const type = string(block.type)
        for (const key of words(shapes[type]?.needs ?? '')) {
          if (key && (block[key] === undefined || block[key] === null)) {
            yield [path, `${path}.${type}.${key}: Field required`]
          }
        }
        if (/tool_use$/.test(type) && block.input !== undefined && !isFields(block.input)) {
          yield [path, `${path}.${type}.input: Input should be a valid dictionary`]
        }
      }
    },
  },
  {
    id: 'A-24',
    *find(scope) {
      for (const { block, path } of nested(scope)) {
        const type = string(block.type)
        const shape = shapes[type]
        if (!shape) continue
        const known = words(`type ${shape.needs} ${shape.may}`)
        // its own rule: C-03
        if (type.includes('thinking'))
          yield* unknownKeys(
            { ...block, cache_control: null },
            words(`cache_control ${[...known].join(' ')}`),
            extra(`${path}.${type}`),
          )
        else yield* unknownKeys(block, known, extra(`${path}.${type}`))
      }
      for (const [index, message] of messagesOf(scope).entries()) {
        yield* unknownKeys(message, words('role content clear_at output_config'), extra(`messages.${index}`))
      }
      yield* unknownKeys(scope.body, topKeys, ([...key]) => [
        key.join(''),
        `${key.join('')}: Extra inputs are not permitted`,
      ])
      for (const [index, tool] of rows(scope.body.tools).entries()) {
        if (isCustom(tool)) yield* unknownKeys(tool, toolKeys, extra(`tools.${index}.custom`))
      }
    },
  },
  {
    id: 'A-24-beta',
    *find({ body, headers, host }) {
      if (headers === undefined || host === 'bedrock') return
      const sent = Object.entries(headers).find(([name]) => name.toLowerCase() === 'anthropic-beta')?.[1] ?? ''
      for (const [key, beta] of Object.entries(betas)) {
        if (body[key] !== undefined && !sent.includes(beta)) yield [key, `${key}: Extra inputs are not permitted`]
      }
      if (fields(body.thinking).block_binding !== undefined && !sent.includes('thinking-binding-controls')) {
        yield ['thinking', 'thinking.adaptive.block_binding: Extra inputs are not permitted']
      }
    },
  },
  {
    id: 'A-id',
    *find(scope) {
      for (const { block, path } of placed(scope)) {
        const key = block.type === 'tool_result' ? 'tool_use_id' : 'id'
        if (!/^(tool_use|mcp_tool_use|tool_result)$/.test(string(block.type)) || typeof block[key] !== 'string')
          continue
        if (/^[a-zA-Z0-9_-]+$/.test(string(block[key]))) continue
        yield [path, `${path}.${string(block.type)}.${key}: String should match pattern '^[a-zA-Z0-9_-]+$'`]
      }
    },
  },
  {
    id: 'A-14',
    *find(scope) {
      for (const { block, path } of placed(scope)) {
        if (block.type !== 'server_tool_use' || /^srvtoolu_[a-zA-Z0-9_]+$/.test(string(block.id))) continue
        yield [path, `${path}.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'`]
      }
    },
  },
  {
    id: 'A-name',
    *find(scope) {
      const fits = (name: unknown) => /^[a-zA-Z0-9_-]{1,128}$/.test(string(name))
      const said = "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"
      for (const { block, path } of placed(scope)) {
        if (block.type === 'tool_use' && !fits(block.name)) yield [path, `${path}.tool_use.name: ${said}`]
      }
      for (const [index, tool] of rows(scope.body.tools).entries()) {
        if (isCustom(tool) && !fits(tool.name)) yield [`tools.${index}`, `tools.${index}.custom.name: ${said}`]
      }
    },
  },
  {
    id: 'A-tool-names',
    *find({ body }) {
      const named = rows(body.tools).flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
      if (repeated(named) !== undefined) yield ['tools', 'tools: Tool names must be unique.']
    },
  },
  {
    id: 'A-25',
    *find({ body }) {
      for (const [index, tool] of rows(body.tools).entries()) {
        if (!isCustom(tool)) continue
        const path = `tools.${index}.custom.input_schema`
        const schema = fields(tool.input_schema)
        if (['oneOf', 'allOf', 'anyOf'].some((key) => key in schema)) {
          yield [path, `${path}: input_schema does not support oneOf, allOf, or anyOf at the top level`]
        } else if (schema.type !== 'object') yield [path, `${path}.type: Field required`]
      }
    },
  },
  {
    id: 'A-choice',
    *find({ body }) {
      const { type, name } = fields(body.tool_choice)
      if (type === undefined) return
      if (list(body.tools).length === 0 && type !== 'none') {
        yield ['tool_choice', 'tool_choice: tool_choice may only be specified while providing tools']
      } else if (type === 'tool' && !rows(body.tools).some((tool) => tool.name === name)) {
        yield ['tool_choice', `Tool '${string(name)}' not found in provided tools`]
      }
    },
  },
]

const isCustom = (tool: Fields) => tool.type === undefined || tool.type === null || tool.type === 'custom'
const extra = (path: string) => (key: string) => [path, `${path}.${key}: Extra inputs are not permitted`] as const
