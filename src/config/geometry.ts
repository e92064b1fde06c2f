/** The laws between settings: what cannot work is refused before the service starts. */
import { isIP } from 'node:net'
import { HistoryError } from '../core/message/issue.js'
import { policyFrom } from '../core/policy/presets/settings.js'
import type { Policy } from '../core/policy/schema.js'
import { findModel } from '../core/tokens/models.js'
import { resolvePolicy } from '../core/window/plan.js'
import type { Origins } from './load.js'
import type { Config } from './schema.js'

interface Policies {
  /** For windows whose request names none. */
  readonly usual: Policy
  /** For `POST /chat`: specification 4 with its own settings. */
  readonly session: Policy
  /** Specifications 2 and 4 with their own settings, at every door that names their presets. */
  readonly presets: { readonly 'session-window': Policy; readonly 'handoff-assistant-first': Policy }
}

/** Throws a `HistoryError` that names the field. */
export function policiesOf(config: Config): Policies {
  const { conversation_max_history_messages, conversation_max_context_tokens, conversation_context_strategy } = config
  const session = policyFrom({
    extends: 'session-window',
    conversation_max_history_messages,
    conversation_max_context_tokens,
    conversation_context_strategy,
  })
  const s2 = Object.entries(config).filter(([name, value]) => name.startsWith('conversation_history_') && value !== '')
  const roles = config.conversation_history_valid_roles.join(',')
  const assistantFirst = policyFrom({
    ...{ extends: 'handoff-assistant-first', ...Object.fromEntries(s2) },
    conversation_history_valid_roles: roles,
  })
  const presets: Policies['presets'] = { 'session-window': session, 'handoff-assistant-first': assistantFirst }
  const named: string | Policy = (presets as Readonly<Record<string, Policy>>)[config.policy] ?? config.policy
  const usual = resolvePolicy(named, { overrides: config.overrides })
  if (!usual.ok) throw new HistoryError('policy.invalid', usual.issues)
  return { usual: usual.policy, session, presets }
}

/** Tokens that must be left for the history. */
const least = 256

export function geometry(config: Config, origins: Origins): string[] {
  const problems: string[] = []
  const { archive_after_days: archive, purge_after_days: purge } = config
  if (purge !== null && archive === null)
    problems.push(
      `purge_after_days, from ${origins.purge_after_days}, needs archive_after_days: only the archive is purged`,
    )
  for (const proxy of config.trusted_proxies)
    if (!isNetwork(proxy))
      problems.push(
        `trusted_proxies, from ${origins.trusted_proxies}: ${proxy} is no address and no network, as 10.0.0.0/8`,
      )
  const missing = (['embeddings_url', 'embeddings_model'] as const).filter((name) => config[name] === null)
  if (config.embeddings === 'provider' && missing.length > 0)
    problems.push(`embeddings, from ${origins.embeddings}: provider needs ${missing.join(' and ')}`)
  try {
    const { usual } = policiesOf(config)
    const short = reservesOf(usual, config.model)
    if (short) problems.push(`overrides, from ${origins.overrides}: ${short}`)
  } catch (error) {
    if (!HistoryError.is(error)) throw error
    const from = error.issues.some(({ code }) => code === 'policy.unknown') ? 'policy' : 'overrides'
    problems.push(...error.issues.map(({ message }) => `${from}, from ${origins[from]}: ${message}`))
  }
  return problems
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  const isWhole = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
  return family !== 0 && isWhole && more.length === 0
}

/** With a model that is known, its window must be larger than what the policy sets aside. */
function reservesOf({ fit }: Policy, model: string | null): string | null {
  if (model === null || fit.tokens !== 'model') return null
  const facts = findModel(model)
  const reserved = fit.reserve.system + fit.reserve.tools + fit.reserve.response
  const left = facts.window - reserved
  if (facts.source === 'assumed' || left >= least) return null
  return `fit.reserve leaves ${left} of the ${facts.window} tokens of ${model} for the history (at least ${least})`
}
