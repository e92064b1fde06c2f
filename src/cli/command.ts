/** A command: its help, its options, and what it does. Options it does not know are refused. */
import { type ArgsDef, type ParsedArgs, parseArgs } from 'citty'
import { nearest } from '../core/message/nearest.js'
import { misused } from './kit/failure.js'

export interface Command {
  readonly usage: string
  /** Help on what the words name; null where they name nothing that has its own. */
  readonly help: (words: readonly string[]) => Promise<string | null>
  /** As they are written: `--limit`, `-n`. */
  readonly options: readonly string[]
  /** Resolves to the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>
}

interface Beside {
  /** Any number of words, which `_` has: a message need not be quoted. */
  readonly words?: true
  readonly help?: Command['help']
}

const everywhere = {
  json: { type: 'boolean' },
  help: { type: 'boolean' },
  color: { type: 'boolean', default: true },
} as const

/** `load` brings the code behind it, once the options are known to be right. */
export function command<const T extends ArgsDef>(
  usage: string,
  args: T,
  load: () => Promise<(args: ParsedArgs<T & typeof everywhere>) => Promise<number>>,
  { words, help = async () => null }: Beside = {},
): Command {
  const known: ArgsDef = { ...everywhere, ...args }
  return {
    usage,
    help,
    options: optionsOf(known),
    run: async (given) => {
      inspect(given, known, words === true)
      const run = await load()
      return run(parseArgs([...given], known) as ParsedArgs<T & typeof everywhere>)
    },
  }
}

/** Throws for anything that the definitions do not allow. */
function inspect(given: readonly string[], known: ArgsDef, words: boolean): void {
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
  if (positionals > places && !words) throw misused(`${positionals} arguments were given, ${places} can be used`)
}

/** Whether the option takes the next argument as its value. */
function takesNext(arg: string, next: string | undefined, known: ArgsDef): boolean {
  const [flag = '', value] = arg.split(/=(.*)/s)
  const type = flag === '--no-color' ? 'boolean' : typeOf(flag, known)
  if (type === undefined) throw unknown(flag, known)
  if (type === 'boolean') {
    if (value !== undefined) throw misused(`${flag} takes no value`)
    return false
  }
  if (value === '' || (value === undefined && (next === undefined || next.startsWith('--'))))
    throw misused(`${flag} needs a value`)
  return value === undefined
}

/** Undefined when there is no such option. A letter stands alone: `-n 5`, not `-n5`. */
function typeOf(flag: string, known: ArgsDef): string | undefined {
  const name = flag.startsWith('--')
    ? flag.slice(2)
    : Object.keys(known).find((one) => flag === `-${aliasOf(known[one]) ?? ''}`)
  const type = name === undefined ? undefined : known[name]?.type
  return type === 'positional' ? undefined : type
}

const aliasOf = (one: ArgsDef[string] | undefined): string | undefined =>
  one && 'alias' in one && typeof one.alias === 'string' ? one.alias : undefined

const optionsOf = (known: ArgsDef): string[] =>
  Object.entries(known).flatMap(([name, one]) => {
    if (one.type === 'positional') return []
    const letter = aliasOf(one)
    return [name === 'color' ? '--no-color' : `--${name}`, ...(letter === undefined ? [] : [`-${letter}`])]
  })

function unknown(flag: string, known: ArgsDef): Error {
  const names = optionsOf(known)
  const near = nearest(flag, names)
  return misused(`unknown option ${flag}`, near ? `did you mean ${near}?` : `options: ${names.join(' ')}`)
}
