/** Where a policy comes from: a preset by name, a JSON file, or the environment. */
import { readFile } from 'node:fs/promises'
import { isPreset, type PresetName, presets } from '../../core/policy/presets/index.js'
import { policyFrom } from '../../core/policy/presets/settings.js'
import type { Policy } from '../../core/policy/schema.js'
import { type RecallFrom, recallFromOf, recallFroms } from '../../engine/window/partial.js'
import { failed, inputRefused, issueOf, misused, notOneOf } from './failure.js'
import { isObject } from './request.js'

/** An option goes before the environment; undefined leaves the choice to the library. */
export async function policyOf(flags: {
  readonly policy?: string | undefined
  readonly 'policy-file'?: string | undefined
}): Promise<PresetName | Policy | undefined> {
  const { policy, 'policy-file': file } = flags
  if (policy !== undefined && file !== undefined) throw misused('give --policy or --policy-file, not both')
  if (policy !== undefined) return fromEnvironment(presetName(policy))
  return file === undefined ? fromEnvironment() : policyIn(file)
}

export function presetName(name: string): PresetName {
  if (isPreset(name)) return name
  throw notOneOf('--policy', name, Object.keys(presets))
}

/** How far a window looks beyond its conversation. */
export function recallNamed(name: string | undefined): RecallFrom | undefined {
  const from = recallFromOf(name)
  if (name !== undefined && from === undefined) throw notOneOf('--recall', name, recallFroms)
  return from
}

/** A preset by its name, or a policy in a JSON file. */
export async function policyNamed(name: string): Promise<Policy> {
  if (isPreset(name)) return presets[name]
  if (/[./\\]/.test(name)) return policyIn(name)
  throw notOneOf('policy', name, Object.keys(presets))
}

async function policyIn(file: string): Promise<Policy> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw failed(`${file} cannot be read as JSON: ${(error as Error).message}`)
  }
  if (!isObject(value)) throw failed(`${file} must hold a JSON object`)
  return settled(value)
}

/** THROUGHLINE_POLICY, THROUGHLINE_OVERRIDES, and the settings of the specifications under their own names. */
function fromEnvironment(): Policy | undefined
function fromEnvironment(preset: PresetName): PresetName | Policy
function fromEnvironment(preset?: PresetName): PresetName | Policy | undefined {
  // an option that names a preset goes before a policy of the environment, but not before the preset's own settings
  const heard = preset === undefined ? /^(?:throughline|conversation)_/i : /^conversation_/i
  const ours = Object.entries(process.env).filter(([name, value]) => value !== '' && heard.test(name))
  return ours.length === 0 ? preset : settled({ ...Object.fromEntries(ours), ...(preset && { extends: preset }) })
}

function settled(source: Readonly<Record<string, unknown>>): Policy {
  try {
    return policyFrom(source)
  } catch (error) {
    throw inputRefused(issueOf(error))
  }
}
