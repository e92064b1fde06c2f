/** What was connected in the app, and the settings of the operator, as one configuration. */

import { known } from '../providers.js'
import type { Compatible, ModelsConfig, ProvidersConfig } from '../wire/config.js'
import type { Connection } from './connections.js'
import type { KeptConnections } from './file.js'
import { isNative, knownProvider, nativeProviders } from './known.js'

/** The settings of the operator, with what was connected in the app on top. */
export function mergedConfig(config: ModelsConfig, { model, connections }: KeptConnections): ModelsConfig {
  let providers: ProvidersConfig = config.providers ?? {}
  for (const { id, type, url, key, models } of connections) {
    if (type === 'ollama' && url !== null) providers = { ...providers, ollama: { baseUrl: url } }
    else if (isNative(id) && key !== null) providers = { ...providers, [id]: { ...providers[id], apiKey: key, models } }
    else {
      const baseUrl = url ?? addressIn(config, id) ?? knownProvider(id)?.url
      if (baseUrl === undefined) continue
      const one: Compatible = { name: id, baseUrl, ...(key !== null && { apiKey: key }), models }
      const others = (providers.compatible ?? []).filter(({ name }) => name !== id)
      providers = { ...providers, compatible: [...others, one] }
    }
  }
  return { ...config, providers, ...(model !== null && { usual: model }) }
}

/** Where the operator says that a provider is. */
export function addressIn({ providers = {} }: ModelsConfig, id: string): string | undefined {
  const given = isNative(id) ? providers[id]?.baseUrl : providers.compatible?.find(({ name }) => name === id)?.baseUrl
  return given?.replace(/\/+$/, '')
}

/** Those of the settings that nothing in the app stands in front of. */
export function settledIn(
  { providers = {} }: ModelsConfig,
  { connections }: KeptConnections,
  refused: ReadonlyMap<string, string>,
): Connection[] {
  const isFree = (id: string): boolean => connections.every((one) => one.id !== id)
  const told = (
    id: string,
    label: string,
    url: string | null,
    key: string | undefined,
    models: number,
  ): Connection => ({
    id,
    label,
    url,
    ending: endingOf(key ?? null),
    from: 'settings',
    models,
    refusedAt: refused.get(id) ?? null,
  })
  const hosted = nativeProviders.flatMap((id) => {
    const key = providers[id]?.apiKey
    return key === undefined || !isFree(id) ? [] : [told(id, labelOf(id), null, key, known[id]?.length ?? 0)]
  })
  const others = (providers.compatible ?? [])
    .filter(({ name }) => isFree(name))
    .map(({ name, baseUrl, apiKey, models }) => told(name, name, baseUrl, apiKey, models?.length ?? 0))
  return [...hosted, ...others]
}

const labelOf = (id: string): string => knownProvider(id)?.label ?? id

/** Not even that much of a short one. */
export const endingOf = (key: string | null): string | null =>
  key === null ? null : key.length < 12 ? '' : key.slice(-4)
