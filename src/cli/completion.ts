/** `throughline completion`: scripts for shells, made from the commands and the list of operations. */
import type { CommandTree } from './commands.js'
import { exits, misused, notOneOf } from './kit/failure.js'
import { put } from './kit/sink.js'

/** What may follow a line of words, `throughline task deploy` among them. */
interface Follow {
  readonly path: readonly string[]
  readonly words: readonly string[]
}

export async function printCompletion(args: { readonly shell?: string | undefined }): Promise<number> {
  const { shell } = args
  if (shell === undefined) throw misused('completion needs the name of a shell', Object.keys(shells).join(', '))
  if (!Object.hasOwn(shells, shell)) throw notOneOf('the shell', shell, Object.keys(shells))
  const { commands } = await import('./commands.js')
  const { operations } = await import('../operations/list.js')
  const named = operations.map(({ name, input }) => ({
    path: ['call', name],
    words: Object.keys(input.shape).map((field) => `${field}=`),
  }))
  const all = follows(commands, []).map((one) =>
    one.path.join() === 'call' ? { ...one, words: [...operations.map(({ name }) => name), ...one.words] } : one,
  )
  await put(shells[shell as keyof typeof shells]([...all, ...named]))
  return exits.ok
}

function follows(branch: CommandTree, path: readonly string[]): Follow[] {
  const here = { path, words: [...Object.keys(branch), '--help'] }
  const below = Object.entries(branch).flatMap(([name, next]) => {
    const deeper = [...path, name]
    if (typeof next.run !== 'function') return follows(next as CommandTree, deeper)
    return [{ path: deeper, words: next.options as readonly string[] }]
  })
  return [here, ...below]
}

const cases = (all: readonly Follow[]): string =>
  all.map(({ path, words }) => `    '${path.join(' ')}') words='${words.join(' ')}' ;;`).join('\n')

/** The words before the first option say where we are; positionals of a command do not change it. */
const bash = (all: readonly Follow[]): string => `_throughline() {
  local words at='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${at:+$at }\${COMP_WORDS[i]}" in
      ${all.flatMap(({ path }) => (path.length > 0 ? [`'${path.join(' ')}'`] : [])).join(' | ')}) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${cases(all)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _throughline throughline
`

const zsh = (all: readonly Follow[]): string => `#compdef throughline
autoload -U +X bashcompinit && bashcompinit
${bash(all)}`

const fish = (all: readonly Follow[]): string =>
  all
    .flatMap(({ path, words }) => {
      const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
      const when = path.length === 0 ? '__fish_use_subcommand' : seen
      return words.map((word) => `complete -c throughline -f -n '${when}' -a '${word}'`)
    })
    .join('\n')
    .concat('\n')

const shells = { bash, zsh, fish } as const
