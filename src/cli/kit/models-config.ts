/** Which models there are, from the settings. A provider without a key is not there. */
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Loaded } from '../../config/load.js'
import { usualFile } from '../../config/place.js'
import type { Config } from '../../config/schema.js'
import type { ConnectOptions } from '../../models/connect/connections.js'
import type { Compatible, ModelsConfig, ProvidersConfig } from '../../models/wire/config.js'
import { storePlace } from './settings.js'

/** The models of the settings, and where those are kept that are connected while the service runs. */
export function connecting(settled: Loaded): ConnectOptions {
  const place = storePlace(settled)
  const folder = dirname(place.kind === 'sqlite' ? place.file : usualFile(process.env))
  const file = settled.config.connections_file ?? join(folder, 'connections.json')
  return { config: modelsConfig(settled.config, process.env), file }
}

function modelsConfig(config: Config, env: NodeJS.ProcessEnv): ModelsConfig {
  const { anthropic_api_key, openai_api_key, google_api_key, ollama_host, detect_models } = config
  const account = (apiKey: string | null, baseUrl: string | null, version: string) => ({
    ...(apiKey !== null && { apiKey }),
    ...(baseUrl !== null && { baseUrl: versioned(baseUrl, version) }),
  })
  const [anthropic, openai, google] = [
    account(anthropic_api_key, config.anthropic_base_url, 'v1'),
    account(openai_api_key, config.openai_base_url, 'v1'),
    account(google_api_key, config.google_base_url, 'v1beta'),
  ]
  const providers: ProvidersConfig = {
    anthropic,
    openai,
    google,
    compatible: Object.entries(config.providers).map(([name, one]): Compatible => {
      const apiKey = one.key_env === undefined ? undefined : env[one.key_env]
      return { name, baseUrl: one.url, ...(apiKey && { apiKey }), ...(one.models && { models: one.models }) }
    }),
    ...(ollama_host !== null ? { ollama: { baseUrl: ollamaUrl(ollama_host) } } : !detect_models && { ollama: false }),
    ...(!detect_models && { lmstudio: false }),
  }
  const usual = config.model !== null && { usual: config.model }
  return { prefer: config.prefer_models, providers, hop: randomUUID(), ...usual }
}

/** A bare host gets the version that its API has by default. */
function versioned(address: string, version: string): string {
  const url = new URL(address)
  return url.pathname === '/' ? new URL(version, url).href : address.replace(/\/+$/, '')
}

/** As Ollama itself reads it: `127.0.0.1`, `0.0.0.0:11434`, `http://box:11434`. */
function ollamaUrl(host: string): string {
  const url = new URL(/^https?:\/\//i.test(host) ? host : `http://${host}`)
  if (url.port === '' && url.protocol === 'http:') url.port = '11434'
  // the address of a server that listens everywhere is no address to call
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  return url.href.replace(/\/$/, '')
}
