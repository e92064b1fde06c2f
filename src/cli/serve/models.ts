/** Which models there are, from the settings. A provider without a key is not there. */
import type { Config } from '../../config/schema.js'
import type { Compatible, ModelsConfig, ProvidersConfig } from '../../models/config.js'

export function modelsConfig(config: Config, env: NodeJS.ProcessEnv): ModelsConfig {
  const { anthropic_api_key, openai_api_key, google_api_key, ollama_host, detect_models } = config
  const account = (apiKey: string | null, baseUrl?: string) =>
    apiKey === null ? undefined : { apiKey, ...(baseUrl && { baseUrl }) }
  const [anthropic, openai, google] = [
    account(anthropic_api_key, env.ANTHROPIC_BASE_URL),
    account(openai_api_key, env.OPENAI_BASE_URL),
    account(google_api_key),
  ]
  const providers: ProvidersConfig = {
    ...(anthropic && { anthropic }),
    ...(openai && { openai }),
    ...(google && { google }),
    compatible: Object.entries(config.providers).map(([name, one]): Compatible => {
      const apiKey = one.key_env === undefined ? undefined : env[one.key_env]
      return { name, baseUrl: one.url, ...(apiKey && { apiKey }), ...(one.models && { models: one.models }) }
    }),
    ...(ollama_host !== null ? { ollama: { baseUrl: ollamaUrl(ollama_host) } } : !detect_models && { ollama: false }),
    ...(!detect_models && { lmstudio: false }),
  }
  return { prefer: config.prefer_models, providers, ...(config.model !== null && { usual: config.model }) }
}

/** As Ollama itself reads it: `127.0.0.1`, `0.0.0.0:11434`, `http://box:11434`. */
export function ollamaUrl(host: string): string {
  const url = new URL(/^https?:\/\//i.test(host) ? host : `http://${host}`)
  if (url.port === '' && url.protocol === 'http:') url.port = '11434'
  // the address of a server that listens everywhere is no address to call
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  return url.href.replace(/\/$/, '')
}
