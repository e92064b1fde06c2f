#!/usr/bin/env node
import { HistoryError } from '../core/message/issue.js'
import { nearest } from '../core/message/nearest.js'
/** The command `throughline`: finds the command that was asked for, runs it, and turns what happened into an exit code. */
import type { Command } from './command.js'
import { type CommandTree, commands } from './commands.js'
import { exitOfCode, exits, Failure, misused } from './kit/failure.js'
import { printable } from './kit/term.js'
import { usages } from './usage.js'

/** Options that every command has may stand before its name. */
const globals = new Set(['--help', '-h', '--version', '--json', '--no-color'])

process.on('SIGINT', () => process.exit(exits.interrupted))
// a reader that has seen enough, as in `throughline policies list | head -1`
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? exits.ok : exits.failed),
)

process.exitCode = await run(process.argv.slice(2)).catch(tell)

async function run(argv: readonly string[]): Promise<number> {
  const [stdin, stdout] = [process.stdin.isTTY, process.stdout.isTTY]
  if (argv.length === 0 && stdin && stdout) return (commands.chat as Command).run([])
  const asked = find(commands, argv, [])
  if (asked.command && !asksHelp(asked.rest)) return asked.command.run(asked.rest)
  if (asked.path.length === 0 && argv.includes('--version')) return version(argv)
  const usage = await inWords(asked.command?.usage ?? usages[(asked.path[0] ?? 'throughline') as keyof typeof usages])
  const named = asked.rest.filter((arg) => !arg.startsWith('-'))
  if (asksHelp(asked.rest)) process.stdout.write(`${(await asked.command?.help(named)) ?? usage}\n`)
  else throw new Failure(exits.usage, usage)
  return exits.ok
}

/** `{messages.search}` is what the list says of that operation; the list is loaded for help alone. */
async function inWords(usage: string): Promise<string> {
  const [said, name] = /\{([a-z_]+\.[a-z_]+)\}/.exec(usage) ?? []
  return said === undefined ? usage : usage.replace(said, (await import('./operation-help.js')).saidOf(name as string))
}

interface Asked {
  readonly command: Command | null
  readonly path: readonly string[]
  readonly rest: readonly string[]
}

function find(branch: CommandTree, argv: readonly string[], path: readonly string[]): Asked {
  const at = argv.findIndex((arg) => !globals.has(arg))
  const name = argv[at]
  if (name === undefined) return { command: null, path, rest: argv }
  if (name.startsWith('-'))
    throw misused(`unknown option ${name}`, `a command comes first: ${Object.keys(branch).join(', ')}`)
  if (name === 'help' && path.length === 0) return find(branch, [...argv.toSpliced(at, 1), '--help'], path)
  if (!Object.hasOwn(branch, name)) throw unknown([...path, name].join(' '), name, Object.keys(branch))
  const next = branch[name] as CommandTree[string]
  const rest = argv.toSpliced(at, 1)
  return isCommand(next) ? { command: next, path: [...path, name], rest } : find(next, rest, [...path, name])
}

function isCommand(next: Command | CommandTree): next is Command {
  return typeof next.run === 'function'
}

function unknown(asked: string, name: string, names: readonly string[]): Failure {
  const near = nearest(name, names)
  return misused(`unknown command '${asked}'`, near ? `did you mean '${near}'?` : `commands: ${names.join(', ')}`)
}

function asksHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')
}

async function version(argv: readonly string[]): Promise<number> {
  const { packageVersion } = await import('./kit/version.js')
  process.stdout.write(argv.includes('--json') ? `{"version":"${packageVersion()}"}\n` : `${packageVersion()}\n`)
  return exits.ok
}

function tell(error: unknown): number {
  if (process.argv.includes('--json')) return tellJson(error)
  if (error instanceof Failure) {
    process.stderr.write(`${error.message}\n`)
    return error.exit
  }
  process.stderr.write(`throughline: ${printable(error instanceof Error ? error.message : String(error))}\n`)
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' ? exitOfCode(code) : exits.failed
}

/** For programs, with the code that every other door gives. */
function tellJson(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed'
  const issues = HistoryError.is(error) ? error.issues : []
  process.stderr.write(`${JSON.stringify({ code, message, issues })}\n`)
  return error instanceof Failure ? error.exit : exitOfCode(code)
}
