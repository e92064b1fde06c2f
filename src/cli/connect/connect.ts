/** `throughline connect`: the lines that point a coding agent at the service, written or taken back. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { exits, Failure, misused, notOneOf } from '../kit/failure.js'
import { type Given, type SettingFlags, settingsOf } from '../kit/settings.js'
import { put } from '../kit/sink.js'
import { type AgentApp, agents } from './agents.js'
import { withFields, withoutFields } from './json-edit.js'

type Flags = SettingFlags & Given<'agent', 'write' | 'undo'>

export async function connectAgent(flags: Flags): Promise<number> {
  const { agent: name, write, undo } = flags
  if (name === undefined) throw misused('connect needs the name of an agent', Object.keys(agents).join(', '))
  if (!Object.hasOwn(agents, name)) throw notOneOf('the agent', name, Object.keys(agents))
  if (write && undo) throw misused('--write and --undo exclude each other')
  const { config } = settingsOf(flags)
  const url = config.public_url?.replace(/\/$/, '') ?? `http://${config.host}:${config.port}`
  const agent = (agents[name] as (url: string) => AgentApp)(url)
  const file = agent.file === null ? null : join(homedir(), agent.file)
  if (file === null || (!write && !undo)) {
    await put(told(name, agent, file))
    return exits.ok
  }
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const after = edited(agent, before, undo === true, file)
  if (after === before) {
    await put(`${file} is as it should be.\n`)
    return exits.ok
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, after)
  await put(undo ? `${file}: taken back.\n` : `${file}: written. throughline connect ${name} --undo takes it back.\n`)
  return exits.ok
}

function edited(agent: AgentApp, before: string, undo: boolean, file: string): string {
  if (agent.kind === 'lines') return undo ? withoutLines(before) : withLines(before, agent.lines)
  try {
    return undo ? withoutFields(before, agent.fields) : withFields(before, agent.fields)
  } catch {
    throw new Failure(
      exits.failed,
      `throughline: ${file} is not plain JSON, so it was left alone; add by hand:\n${shown(agent)}`,
    )
  }
}

const shown = (agent: AgentApp): string =>
  agent.kind === 'json' ? withFields('', agent.fields) : agent.lines.map((block) => `${block.join('\n')}\n`).join('\n')

const told = (name: string, agent: AgentApp, file: string | null): string => {
  const where = file === null ? '' : `# ${file}   (throughline connect ${name} --write adds it)\n`
  return `${where}${shown(agent)}${agent.also === undefined ? '' : `\n# ${agent.also}\n`}`
}

// Blocks of lines between marks of ours, so that they can be found again.

const [begin, end] = ['# >>> throughline', '# <<< throughline']

const marked = (lines: readonly string[]): string => `${[begin, ...lines, end].join('\n')}\n`

export function withLines(text: string, [first = [], ...rest]: readonly (readonly string[])[]): string {
  const bare = withoutLines(text)
  const body = bare === '' || bare.endsWith('\n') ? bare : `${bare}\n`
  return `${marked(first)}${body}${rest.map(marked).join('')}`
}

export function withoutLines(text: string): string {
  const kept: string[] = []
  let isOurs = false
  for (const line of text.split('\n')) {
    if (line === begin) isOurs = true
    else if (line === end) isOurs = false
    else if (!isOurs) kept.push(line)
  }
  return kept.join('\n')
}
