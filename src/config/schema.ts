/** Every setting of the service. Its name here is its name in the file; in the environment it is written in capitals behind `THROUGHLINE_`. */
import { z } from 'zod'
import type { Overrides } from '../core/policy/schema.js'
import { days, type Field, flag, list, maybe, object, oneOf, text, url, whole } from './field.js'

/** A model whose window the server does not tell. */
const listed = z.strictObject({ name: z.string().min(1), window: z.int().positive().exactOptional() })

const provider = z.strictObject({
  /** The base URL of an OpenAI-compatible server. */
  url: z.url({ protocol: /^https?$/ }),
  /** The environment variable that holds its key: keys do not belong into a file. */
  key_env: z.string().min(1).optional(),
  /** The models it is asked for; left out, any name is passed on. */
  models: z.array(z.union([z.string().min(1), listed])).optional(),
})

const agent = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  /** Arguments that name the model, where `{model}` stands for it. */
  model: z.array(z.string()).optional(),
  /** Names of variables that it gets beside the few that every program needs. */
  env: z.array(z.string().min(1)).optional(),
})

const named = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/)

const mib = 1024 * 1024

export const fields = {
  host: text('127.0.0.1', 'The address to listen on. Anything but loopback needs keys.'),
  port: whole(7333, [0, 65_535], 'The port to listen on; 0 takes any that is free.'),
  db: maybe('A SQLite file, or postgres://… for several servers; without it, a file among the data of the user.', {
    env: ['DATABASE_URL'],
    secret: 'password',
  }),
  public_url: url('Where others reach the service; links that are shared begin with it.'),
  hosts: list('Names that the Host header may have besides loopback and the address listened on; "*" for any.'),
  origins: list("Origins whose pages may call, besides the service's own."),

  demo: flag(true, 'Put a demo conversation into an empty SQLite file; once removed it stays away.'),

  model: maybe('The model that answers when a request names none, as provider/name.'),
  prefer_models: oneOf(['hosted', 'local'], 'hosted', 'When no model is named; local: never one that may cost.'),
  anthropic_api_key: maybe("Anthropic's models.", { env: ['ANTHROPIC_API_KEY'], secret: 'value' }),
  openai_api_key: maybe("OpenAI's models.", { env: ['OPENAI_API_KEY'], secret: 'value' }),
  google_api_key: maybe("Google's models.", {
    env: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    secret: 'value',
  }),
  anthropic_base_url: url("Where Anthropic's API is, if not at its usual address."),
  openai_base_url: url("Where OpenAI's API is, if not at its usual address."),
  google_base_url: url("Where Google's API is, if not at its usual address."),
  client_keys: oneOf(
    ['auto', 'never', 'fallback', 'prefer'],
    'auto',
    "A client's own provider key: never passed on, passed on where there is none here, or preferred; auto: fallback without keys of ours.",
  ),
  record: oneOf(
    ['auto', 'all', 'stored', 'none'],
    'auto',
    'Which requests of agents are recorded: all, those that ask for it (store, or a named conversation), or none; auto: all without keys.',
  ),
  agent_policy: oneOf(
    ['agent', 'observe'],
    'agent',
    "Requests that are passed on: agent shortens old tool results above the provider's limit, observe never changes a byte.",
  ),
  ollama_host: maybe('Where Ollama is, if not at its usual place.', { env: ['OLLAMA_HOST'] }),
  detect_models: flag(true, 'Look for model servers on this machine when the service starts.'),
  providers: object(
    z.record(named, provider),
    {},
    'OpenAI-compatible servers by name: {"lab": {"url": "http://…/v1", "key_env": "LAB_KEY", "models": ["…", {"name": "…", "window": 32768}]}}.',
    'an object of providers, each with a url',
  ),

  connections_file: maybe(
    'Where the keys of models that are connected in the app are kept (mode 0600); without it, connections.json beside the SQLite file.',
  ),

  embeddings: oneOf(
    ['builtin', 'provider', 'off'],
    'builtin',
    'What tells the meaning of messages for search: the table that comes along, the server of embeddings_url, or nothing.',
  ),
  embeddings_url: url('An OpenAI-compatible server of embeddings, as in http://127.0.0.1:11434/v1.'),
  embeddings_model: maybe('The model that it is asked for.'),
  embeddings_key: maybe('Its key.', { secret: 'value' }),
  embeddings_dimensions: whole(0, [0, 16_384], "Shorter vectors, where the model has them; 0 for the model's own."),

  policy: text('balanced', 'The policy of windows whose request names none: throughline policies list.'),
  overrides: object<Overrides>(
    z.record(z.string(), z.unknown()) as unknown as z.ZodType<Overrides>,
    {},
    'Fields that replace the policy\'s: {"fit": {"messages": 20}}.',
    'an object of policy fields',
  ),
  handoff: oneOf(
    ['handoff-user-first', 'handoff-assistant-first', 'handoff-balanced'],
    'handoff-user-first',
    'How the history of a task is cut whose creator names no preset: as specification 0, as specification 2, or our own way.',
  ),
  conversation_history_max_messages: whole(
    50,
    [1, 100_000],
    "Specification 2: the newest messages of a task's history.",
  ),
  conversation_history_max_user_chars: whole(150, [1, 10_000_000], "Specification 2: characters of a user's message."),
  conversation_history_max_assistant_chars: whole(
    8_192,
    [1, 10_000_000],
    "Specification 2: characters of an assistant's message.",
  ),
  conversation_history_max_total_size: whole(
    15_360,
    [1, 100_000_000],
    'Specification 2: characters of the whole history.',
  ),
  conversation_history_min_keep: whole(5, [0, 100_000], 'Specification 2: messages that stay whatever the total size.'),
  conversation_history_valid_roles: list('Specification 2: who may speak; when empty, those it names.'),
  conversation_max_history_messages: whole(50, [1, 100_000], 'POST /chat: the newest messages that are looked at.'),
  conversation_max_context_tokens: whole(6_000, [500, 10_000_000], 'POST /chat: tokens of the history that is sent.'),
  conversation_context_strategy: oneOf(
    ['truncate', 'summarize'],
    'truncate',
    'POST /chat: what becomes of what does not fit.',
  ),
  compaction: oneOf(
    ['auto', 'extractive', 'off'],
    'auto',
    'Who writes summaries of what no longer fits: the model that answers, or nobody but picked sentences.',
  ),
  titles: oneOf(
    ['model', 'words'],
    'model',
    'Who gives a new conversation its title: a second call of the model that answers, or the first words of its message. POST /chat always takes the words.',
  ),
  unsigned_assistant: oneOf(
    ['allow', 'demote', 'reject'],
    'allow',
    'POST /api/query: answers in a history that a client sent without a signature of ours. Believed, shown to the model as a quotation, or refused.',
  ),

  agents: object(
    z.record(named, agent),
    {},
    'Programs that read a task on stdin, by name: {"mine": {"command": "my-agent", "args": ["-p"], "env": ["MY_KEY"]}}.',
    'an object of programs, each with a command',
  ),
  agent_roots: list(
    'Folders that agents may work in. Without any: every folder for you, and none for callers with a key.',
  ),
  agent_commands: flag(false, 'Whether callers with a key may start programs here as agents, not only models.'),

  tool_servers: object(
    z.record(named, z.record(z.string(), z.unknown())),
    {},
    'MCP servers whose tools the agent of POST /chat and runs may call: {"files": {"command": "…", "args": ["…"], "approval": "ask", "tools": {"read_file": "always"}}, "wiki": {"url": "http://…/mcp"}}.',
    'an object of tool servers, each with a command or a url',
  ),
  agent_steps: whole(50, [1, 1_000], 'Answers of the model that an agent may use for one message.'),
  agent_tokens: whole(
    0,
    [0, 1_000_000_000],
    'Tokens, in and out, that an agent may use for one message; 0 for no limit.',
  ),
  agent_seconds: whole(600, [1, 86_400], 'How long an agent may work on one message.'),

  trusted_proxies: list(
    'Addresses and networks of proxies in front, as 10.0.0.0/8: their X-Forwarded-For says whose limit counts.',
  ),
  max_body_bytes: whole(mib, [1_024, 64 * mib], 'The largest request body.'),
  max_depth: whole(32, [4, 512], 'How deeply the JSON of a request may be nested.'),
  rate_per_minute: whole(
    6_000,
    [0, 1_000_000],
    'Requests of one key, and of one address without a key, in a minute; 0 for no limit.',
  ),
  runs_per_workspace: whole(32, [1, 10_000], 'Answers that are generated at once for one workspace.'),
  streams_per_workspace: whole(256, [1, 100_000], 'Event streams that one workspace may have open at one server.'),
  stream_age_seconds: whole(3_600, [5, 86_400], 'A stream is closed after so long; the reader resumes it.'),
  run_lease_seconds: whole(
    15,
    [2, 300],
    'A server that is silent for so long has lost its answers; another ends them.',
  ),
  grace_seconds: whole(8, [0, 600], 'How long active answers may go on after a signal to stop.'),

  event_retention_hours: whole(24, [1, 8_760], 'How long a stream can be resumed.'),
  archive_after_days: days(36_500, 'Archive conversations that have not changed for so long.'),
  purge_after_days: days(36_500, 'Delete conversations that have been archived and unchanged for so long.'),

  log_level: oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info', 'What is logged.'),
  log_form: oneOf(['auto', 'json', 'pretty'], 'auto', 'JSON lines, or for people; auto: for people on a terminal.'),
  log_session_ids: oneOf(
    ['plain', 'hashed'],
    'plain',
    'How logs name the sessions of POST /chat: as the client named them, or by a hash of that name.',
  ),
  otel_endpoint: url('Where OpenTelemetry traces are sent, as OTLP in JSON over HTTP.', {
    env: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
  }),
  otel_headers: maybe('Headers for the collector: name=value,name=value.', {
    env: ['OTEL_EXPORTER_OTLP_HEADERS'],
    secret: 'value',
  }),
  otel_service: text('throughline', 'The name of the service in traces.', { env: ['OTEL_SERVICE_NAME'] }),
} as const

export type Name = keyof typeof fields

export type Config = { readonly [K in Name]: (typeof fields)[K] extends Field<infer T> ? T : never }

export const names = Object.keys(fields) as Name[]

export const schema = z.strictObject(
  Object.fromEntries(
    names.map((name) => {
      const { schema, usual, says } = fields[name] as Field<unknown>
      return [name, schema.default(usual as never).describe(says)]
    }),
  ),
)

/** What an editor needs to help with the file. */
export const configJsonSchema = (): unknown => z.toJSONSchema(schema, { io: 'input' })
