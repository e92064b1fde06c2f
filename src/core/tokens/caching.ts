/** What a provider charges for the beginning of a request that it has seen before, as parts of its price for input. */
export interface Caching {
  readonly read: number
  /** For tokens that it keeps for the next request. */
  readonly write: number
  /** Shorter beginnings are not kept. */
  readonly least: number
}

/** As published up to August 2026; a server of one's own keeps what it computed, so that a cached token takes next to no time. */
const known: Readonly<Record<string, Caching>> = {
  openai: { read: 0.25, write: 1, least: 1_024 },
  anthropic: { read: 0.1, write: 1.25, least: 1_024 },
  google: { read: 0.25, write: 1, least: 1_024 },
  deepseek: { read: 0.1, write: 1, least: 64 },
}

const own: Caching = { read: 0.1, write: 1, least: 256 }

export const cachingOf = (provider: string | undefined): Caching => known[provider ?? ''] ?? own
