/** Where each agent keeps its base URL. */
import { opencodeAt } from '../kit/agents.js'

export type AgentApp = {
  /** In the home folder; null where it can only be set by hand. */
  readonly file: string | null
  /** What else helps. */
  readonly also?: string
} & (
  | { readonly kind: 'json'; readonly fields: AgentFields }
  /** The first block goes to the beginning of the file, the others to its end. */
  | { readonly kind: 'lines'; readonly lines: readonly (readonly string[])[] }
)

export interface AgentFields {
  readonly [name: string]: string | AgentFields
}

export const agents: Readonly<Record<string, (url: string) => AgentApp>> = {
  claude: (url) => ({
    kind: 'json',
    file: '.claude/settings.json',
    fields: { env: { ANTHROPIC_BASE_URL: url } },
    also: `or for one shell: export ANTHROPIC_BASE_URL=${url}`,
  }),
  codex: (url) => ({
    kind: 'lines',
    file: '.codex/config.toml',
    lines: [
      ['model_provider = "throughline"'],
      [
        '[model_providers.throughline]',
        'name = "Throughline"',
        `base_url = "${url}/v1"`,
        'env_key = "OPENAI_API_KEY"',
        'wire_api = "responses"',
      ],
    ],
  }),
  opencode: (url) => ({
    kind: 'json',
    file: '.config/opencode/opencode.json',
    fields: opencodeAt(url),
  }),
  gemini: (url) => ({ kind: 'lines', file: '.gemini/.env', lines: [[`GOOGLE_GEMINI_BASE_URL=${url}`]] }),
  qwen: (url) => ({ kind: 'lines', file: '.qwen/.env', lines: [[`OPENAI_BASE_URL=${url}/v1`]] }),
  pi: (url) => ({
    kind: 'json',
    file: '.pi/agent/models.json',
    fields: {
      providers: {
        anthropic: { baseUrl: url },
        openai: { baseUrl: `${url}/v1` },
        google: { baseUrl: `${url}/v1beta` },
      },
    },
  }),
  cursor: (url) => ({
    kind: 'lines',
    file: null,
    lines: [[`Cursor Settings > Models > Override OpenAI Base URL: ${url}/v1`]],
    also: 'Cursor calls from its own servers, so it needs an address that they can reach (public_url, with keys)',
  }),
}
