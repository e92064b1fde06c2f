/** What the model saw for one answer, from six sides. */
import { useEffect, useRef, useState } from 'react'
import { hasStatus, memory, told } from '../api.js'
import type { Choices } from '../app.js'
import { Icon } from '../icons.js'
import type { Inspected } from '../inspected.js'
import { note, placeNow } from '../place.js'
import { type Missing, useMissing } from '../receipt/missing.js'
import { words } from '../strings/inspector.js'
import { AgainBar } from './again-bar.js'
import { Ask } from './ask.js'
import { Diff } from './diff.js'
import { Hero } from './hero.js'
import { List } from './list.js'
import { WindowMap } from './map.js'
import { isLost, type Row } from './rows.js'
import { type Looking, type Seen, useSeen, useWholes } from './seen.js'
import { isTab, panelOf, type Tab, Tabs } from './tabs.js'
import { Time } from './time.js'
import { useSheet } from './use-sheet.js'
import { WhatIf } from './what-if.js'
import { Wire } from './wire.js'

interface Props {
  readonly inspected: Inspected
  readonly choices: Choices | null
  close(): void
}

export function Inspector({ inspected, choices, close }: Props) {
  const looking = useSeen(inspected)
  const [tab, setTab] = useState<Tab>(() => tabIn(inspected))
  const [wide, setWide] = useState(() => memory.get('inspector') === 'wide')
  const box = useRef<HTMLElement>(null)
  const sheet = useSheet(box)
  const missing = useMissing(looking.seen?.kept ?? null)
  const [chosen, setChosen] = useState<Row | null>(null)

  // a message to begin with is in the list
  useEffect(() => {
    if (inspected.at !== undefined) setTab('list')
  }, [inspected.at])

  const turnTo = (next: Tab): void => {
    setTab(next)
    note({ tab: next })
  }
  const widen = (): void => {
    setWide(!wide)
    memory.set('inspector', wide ? null : 'wide')
  }
  const seen = useWholes(looking.seen, missing)
  return (
    <aside
      ref={box}
      className="inspector"
      data-wide={wide}
      aria-label={words.title}
      tabIndex={-1}
      {...(sheet && { role: 'dialog', 'aria-modal': true })}
    >
      <header>
        <h2>{words.title}</h2>
        <button
          type="button"
          className="square only-wide"
          aria-label={wide ? words.narrow : words.widen}
          title={wide ? words.narrow : words.widen}
          onClick={widen}
        >
          <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d={wide ? 'M10 5v5H5M14 19v-5h5M10 10 4 4M14 14l6 6' : 'M14 5h5v5M10 19H5v-5M19 5l-6 6M5 19l6-6'} />
          </svg>
        </button>
        <button type="button" className="square" aria-label={words.close} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {seen ? (
        <>
          <div className="inspector-body">
            <Hero seen={seen} missing={missing} raise={() => turnTo('whatIf')} />
            <Tabs tab={tab} turnTo={turnTo} />
            <div {...panelOf(tab)} className="panel">
              <Panel
                tab={tab}
                seen={seen}
                choices={choices}
                missing={missing}
                choose={setChosen}
                {...atOf(inspected)}
              />
            </div>
          </div>
          {tab === 'list' && chosen && isLost(chosen) && <AgainBar key={chosen.brief.id} seen={seen} row={chosen} />}
        </>
      ) : (
        <Waiting looking={looking} />
      )}
    </aside>
  )
}

interface PanelProps {
  readonly tab: Tab
  readonly seen: Seen
  readonly choices: Choices | null
  readonly missing: Missing | null
  readonly at?: string
  choose(row: Row | null): void
}

function Panel({ tab, seen, choices, missing, at, choose }: PanelProps) {
  if (tab === 'map') return <WindowMap rows={seen.rows} receipt={seen.kept.receipt} seen={seen} />
  if (tab === 'wire') return <Wire seen={seen} />
  if (tab === 'diff') return <Diff seen={seen} />
  if (tab === 'whatIf') return <WhatIf seen={seen} choices={choices} />
  if (tab === 'time') return <Time seen={seen} />
  return (
    <>
      <List
        key={seen.answer}
        rows={seen.rows}
        seen={seen}
        missing={missing}
        chosen={choose}
        {...(at === undefined ? null : { at })}
      />
      <Ask seen={seen} choices={choices} />
    </>
  )
}

const atOf = ({ at }: Inspected): { readonly at?: string } => (at === undefined ? {} : { at })

function tabIn({ at }: Inspected): Tab {
  const { tab } = placeNow()
  return at === undefined && isTab(tab) ? tab : 'list'
}

function Waiting({ looking: { error, again } }: { readonly looking: Looking }) {
  if (error === null)
    return (
      <div className="skeleton" role="status" aria-label={words.loading}>
        <i />
        <i />
        <i />
      </div>
    )
  if (hasStatus(error, 404))
    return (
      <div className="blank">
        <strong>{words.noReceipt}</strong>
        <p>{words.noReceiptMore}</p>
      </div>
    )
  return (
    <p className="problem" role="alert">
      {words.failed} {told(error)}
      <button type="button" className="quiet" onClick={again}>
        {words.retry}
      </button>
    </p>
  )
}
