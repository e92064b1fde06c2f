/** `throughline config`: the settings that hold, and where each comes from. */
import type { Field } from '../config/field.js'
import { shownFile, usualFile, withoutPassword } from '../config/place.js'
import { configJsonSchema, fields, type Name, names } from '../config/schema.js'
import { exits } from './kit/failure.js'
import { type SettingFlags, settingsOf } from './kit/settings.js'
import { put, putJson } from './kit/sink.js'
import { paintFor, table } from './kit/term.js'

interface Flags extends SettingFlags {
  readonly json?: unknown
  readonly schema?: unknown
}

export async function showConfig({ json, schema, ...flags }: Flags): Promise<number> {
  if (schema) {
    await putJson(configJsonSchema())
    return exits.ok
  }
  const { config, origins, file } = settingsOf(flags)
  const rows = names.map((name) => ({ name, value: masked(name, config[name]), from: origins[name] }))
  if (json) {
    const settings = Object.fromEntries(rows.map(({ name, value, from }) => [name, { value, from }]))
    await putJson({ schema: 'throughline.config/1', file, settings })
    return exits.ok
  }
  const paint = paintFor(process.stdout)
  const cells = rows.map(({ name, value, from }) => [name, shown(name, value), from])
  const lines = table([['setting', 'value', 'from'], ...cells])
  await put(
    `${lines.map((line, i) => (i === 0 ? paint.bold(line) : line.endsWith('default') ? paint.dim(line) : line)).join('\n')}\n`,
  )
  return exits.ok
}

/** A secret is told by whether it is there. */
function masked(name: Name, value: unknown): unknown {
  const { secret } = fields[name] as Field<unknown>
  if (secret === 'no' || value === null) return value
  return secret === 'value' ? '•••' : withoutPassword(String(value))
}

function shown(name: Name, value: unknown): string {
  if (name === 'db' && value === null) return shownFile(usualFile(process.env))
  if (value === null) return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
