/** Words from anywhere, and commands: all of it without the mouse. */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { Conversation, Hit } from '../../src/client/index.js'
import { takeAhead } from '../ahead.js'
import { told } from '../api.js'
import { goTo, type Place } from '../place.js'
import { strings } from '../strings/pages.js'
import { clockOf } from '../time.js'
import { type Command, commandsFor, matching } from './commands.js'
import { Filters } from './filters.js'
import { jump } from './jump.js'
import { forgetSearches, recentSearches, rememberSearch } from './recent.js'
import { Snippet } from './snippet.js'
import { type Narrow, useSearch } from './use-search.js'

interface Props {
  readonly place: Place
  /** The newest conversations, for who has not typed yet. */
  readonly recent: readonly Conversation[]
  openArchive(): void
  tell(text: string): void
  close(): void
}

type Option =
  | { readonly type: 'recent'; readonly words: string }
  | { readonly type: 'command'; readonly command: Command }
  | { readonly type: 'title'; readonly one: Conversation }
  | { readonly type: 'hit'; readonly hit: Hit }

const heads = {
  recent: strings.recent,
  command: strings.commands,
  title: strings.titles,
  hit: strings.messages,
} as const

export function Search({ place, recent: newest, openArchive, tell, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [words, setWords] = useState('')
  const [narrow, setNarrow] = useState<Narrow>({ mode: 'keyword', role: '', days: '', conversation: null })
  const [recent, setRecent] = useState(recentSearches)
  const [at, setAt] = useState(0)
  const { found, busy, error } = useSearch(words, narrow)
  const commands = useMemo(
    () => commandsFor({ conversation: place.conversation, openArchive }),
    [place.conversation, openArchive],
  )

  useEffect(() => {
    dialog.current?.showModal()
    setWords((words) => words + takeAhead())
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words have another first result
  useEffect(() => setAt(0), [words, found])

  const asked = words.trim() !== ''
  const options: readonly Option[] = [
    ...(asked ? [] : recent.map((one): Option => ({ type: 'recent', words: one }))),
    ...matching(commands, words).map((command): Option => ({ type: 'command', command })),
    ...(asked ? [] : newest.map((one): Option => ({ type: 'title', one }))),
    ...(asked && found ? found.titles.map((one): Option => ({ type: 'title', one })) : []),
    ...(asked && found ? found.hits.map((hit): Option => ({ type: 'hit', hit })) : []),
  ]
  const choose = (option: Option): void => {
    if (option.type === 'recent') {
      setWords(option.words)
      return
    }
    close()
    if (option.type === 'command') {
      option.command.run()
      return
    }
    if (asked) rememberSearch(words)
    if (option.type === 'title') {
      goTo(option.one.id)
      return
    }
    jump(option.hit, place).then(
      (there) => there || tell(strings.onNoBranch),
      (error: unknown) => tell(told(error)),
    )
  }
  const pressed = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const { length } = options
    if (step !== undefined && length > 0) {
      event.preventDefault()
      const next = (at + step + length) % length
      setAt(next)
      document.getElementById(`hit-${next}`)?.scrollIntoView({ block: 'nearest' })
    }
    const option = options[at]
    if (event.key === 'Enter' && option && !(busy && option.type === 'command' && found === null)) choose(option)
  }
  const nothing = asked && found !== null && !busy && found.hits.length + found.titles.length === 0
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too
    <dialog
      ref={dialog}
      className="search"
      aria-label={strings.search}
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <input
        type="text"
        inputMode="search"
        autoComplete="off"
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls="hits"
        aria-activedescendant={options.length > 0 ? `hit-${at}` : undefined}
        placeholder={strings.searchHint}
        aria-label={strings.searchHint}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={pressed}
      />
      {asked && <Filters narrow={narrow} set={setNarrow} here={place.conversation} />}
      <div className="hits" data-busy={busy}>
        {error !== null && (
          <p className="note" role="alert">
            {told(error)}
          </p>
        )}
        {asked &&
          found?.warnings.map((warning) => (
            <p key={warning} className="dim note">
              {warning}
            </p>
          ))}
        {nothing && (
          <p className="dim note">
            {strings.noHits} {strings.noHitsMore}
          </p>
        )}
        {busy && found === null && error === null && (
          <div className="skeleton" role="status" aria-label={strings.searching}>
            <i />
            <i />
            <i />
          </div>
        )}
        <div id="hits" role="listbox" aria-label={strings.results}>
          {options.map((option, index) => (
            <Choice
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is what the keyboard moves over
              key={index}
              option={option}
              id={`hit-${index}`}
              head={options[index - 1]?.type === option.type ? null : heads[option.type]}
              chosen={index === at}
              choose={() => choose(option)}
            />
          ))}
        </div>
        {!asked && recent.length > 0 && (
          <button
            type="button"
            className="quiet"
            onClick={() => {
              forgetSearches()
              setRecent([])
            }}
          >
            {strings.forgetRecent}
          </button>
        )}
      </div>
      <p className="search-foot" aria-hidden="true">
        {strings.searchKeys}
      </p>
      <p className="hidden" role="status">
        {found && !busy ? strings.found(found.hits.length + found.titles.length, found.hasMore) : ''}
      </p>
    </dialog>
  )
}

interface ChoiceProps {
  readonly option: Option
  readonly id: string
  readonly head: string | null
  readonly chosen: boolean
  choose(): void
}

function Choice({ option, id, head, chosen, choose }: ChoiceProps) {
  return (
    <>
      {head !== null && (
        <div className="hits-head" role="presentation">
          {head}
        </div>
      )}
      <button id={id} type="button" role="option" aria-selected={chosen} tabIndex={-1} className="hit" onClick={choose}>
        <Told option={option} />
      </button>
    </>
  )
}

function Told({ option }: { readonly option: Option }) {
  if (option.type === 'recent') return <span className="hit-title">{option.words}</span>
  if (option.type === 'title') return <span className="hit-title">{option.one.title || strings.untitled}</span>
  if (option.type === 'command')
    return (
      <span className="hit-title">
        {option.command.label} {option.command.keys && <kbd>{option.command.keys}</kbd>}
      </span>
    )
  const { hit } = option
  return (
    <>
      <span className="hit-title">
        {hit.title || strings.untitled}
        <small>
          {hit.why && `${strings.foundBy[hit.why]} · `}
          {strings.said[hit.role] ?? hit.role} · {clockOf(hit.at)}
        </small>
      </span>
      <Snippet hit={hit} />
    </>
  )
}
