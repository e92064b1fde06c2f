/** `throughline service`: the file that starts the service with the machine, shown, installed or taken away. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { exits, failed } from '../kit/failure.js'
import { type SettingFlags, settingsOf } from '../kit/settings.js'
import { put } from '../kit/sink.js'
import { type Unit, units } from './units.js'

export async function showService(flags: SettingFlags): Promise<number> {
  const { file, text } = unitOf(flags)
  await put(`# ${file}\n${text}`)
  return exits.ok
}

export async function installService(flags: SettingFlags): Promise<number> {
  const { file, text, begin } = unitOf(flags)
  const is = existsSync(file) && readFileSync(file, 'utf8') === text
  if (!is) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  await put(`${file}: ${is ? 'is as it should be' : 'written'}.\n${tried(begin)}`)
  return exits.ok
}

export async function uninstallService(): Promise<number> {
  const { file, end } = unitOf({})
  if (!existsSync(file)) {
    await put(`${file} does not exist: nothing to take away.\n`)
    return exits.ok
  }
  const said = tried(end)
  rmSync(file)
  await put(`${file}: removed. Conversations were left alone.\n${said}`)
  return exits.ok
}

function unitOf(flags: SettingFlags): Unit {
  const make = units[process.platform]
  if (!make) throw failed(`there is no service file for ${process.platform}; run: throughline serve`)
  // what is wrong with the settings is said now, not in a log that nobody reads
  settingsOf(flags)
  const program = process.argv[1]
  if (program === undefined) throw failed('the path of this program is not known')
  return make({
    command: [process.execPath, resolve(program), 'serve', ...optionsOf(flags)],
    folder: process.cwd(),
    home: homedir(),
  })
}

/** The same options for `serve`. Names of files are made whole, because the service starts elsewhere. */
function optionsOf({ config, db, host, port, model, policy, 'log-level': level }: SettingFlags): string[] {
  const isFile = db !== undefined && !/^\w+:\/\//.test(db) && db !== ':memory:'
  const given = {
    config: config === undefined ? undefined : resolve(config),
    db: isFile ? resolve(db) : db,
    host,
    port,
    model,
    policy,
    'log-level': level,
  }
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))
}

/** Runs the system's own commands; where they fail, they are there to be run by hand. */
function tried(commands: Unit['begin']): string {
  for (const [name = '', ...args] of commands) {
    const { status, error, stderr } = spawnSync(name, args, { encoding: 'utf8' })
    if (status === 0) continue
    const why = error ? `${name} is not here` : stderr.trim().split('\n')[0]
    const lines = commands.map((words) => `  ${words.join(' ')}`).join('\n')
    return `The system did not take it (${why}). Run it yourself:\n${lines}\n`
  }
  return commands.map((words) => `  ${words.join(' ')}\n`).join('')
}
