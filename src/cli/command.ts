/** A command: its help, its options, and what it does. Options it does not know are refused. */
import { type ArgsDef, type ParsedArgs, parseArgs } from 'citty'
import { nearest } from '../core/nearest.js'
import { misused } from './failure.js'

export interface Command {
  readonly usage: string
  /** Resolves to the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>
}

interface Definition<T extends ArgsDef> {
  readonly usage: string
  readonly args: T
  /** The code behind it, which is only loaded once the options are known to be right. */
  readonly load: () => Promise<(args: ParsedArgs<T & typeof everywhere>) => Promise<number>>
}

const everywhere = {
  json: { type: 'boolean' },
  help: { type: 'boolean' },
  color: { type: 'boolean', default: true },
} as const

export function command<const T extends ArgsDef>({ usage, args, load }: Definition<T>): Command {
  const known: ArgsDef = { ...everywhere, ...args }
  return {
    usage,
    run: async (given) => {
      inspect(given, known)
      const run = await load()
      return run(parseArgs([...given], known) as ParsedArgs<T & typeof everywhere>)
    },
  }
}

/** Throws for anything that the definitions do not allow. */
function inspect(given: readonly string[], known: ArgsDef): void {
  const places = Object.values(known).filter(({ type }) => type === 'positional').length
  let positionals = 0
  for (let i = 0; i < given.length; i++) {
    const arg = given[i] as string
    if (arg === '--') {
      positionals += given.length - i - 1
      break
    }
    if (arg === '-' || !arg.startsWith('-')) positionals++
    else if (takesNext(arg, given[i + 1], known)) i++
  }
  if (positionals > places) throw misused(`${positionals} arguments were given, ${places} can be used`)
}

/** Whether the option takes the next argument as its value. */
function takesNext(arg: string, next: string | undefined, known: ArgsDef): boolean {
  const [flag = '', value] = arg.split(/=(.*)/s)
  const type = flag === '--no-color' ? 'boolean' : known[flag.replace(/^--/, '')]?.type
  if (type === undefined || type === 'positional' || !flag.startsWith('--')) throw unknown(flag, known)
  if (type === 'boolean') {
    if (value !== undefined) throw misused(`${flag} takes no value`)
    return false
  }
  if (value === '' || (value === undefined && (next === undefined || next.startsWith('--'))))
    throw misused(`${flag} needs a value`)
  return value === undefined
}

function unknown(flag: string, known: ArgsDef): Error {
  const names = Object.entries(known)
    .filter(([, { type }]) => type !== 'positional')
    .map(([name]) => (name === 'color' ? '--no-color' : `--${name}`))
  const near = nearest(flag, names)
  return misused(`unknown option ${flag}`, near ? `did you mean ${near}?` : `options: ${names.join(' ')}`)
}
