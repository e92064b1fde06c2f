/** Folders and tags: choosing one narrows the list. */
import { useState } from 'react'
import type { Label } from '../../src/client/index.js'
import { memory } from '../api.js'
import { Icon } from '../icons.js'
import { strings } from '../strings/pages.js'
import { everything, type Filter, type List } from '../use-list.js'
import { carried, isCarried } from './selection.js'

interface Props {
  readonly list: List
  readonly filter: Filter
  setFilter(filter: Filter): void
  move(ids: readonly string[], folder: string): void
}

export function LabelPicker({ list, filter, setFilter, move }: Props) {
  const [over, setOver] = useState<string | null>(null)
  const { folders = [], tags = [] } = list.labels ?? {}
  const chosen = filter.folder ?? filter.tag
  if (chosen !== null)
    return (
      <div className="chosen">
        <span>{filter.folder !== null ? strings.inFolder(chosen) : strings.withTag(chosen)}</span>
        <button type="button" className="quiet" onClick={() => setFilter({ ...everything, archived: filter.archived })}>
          {strings.showAll}
        </button>
      </div>
    )
  return (
    <>
      {folders.length > 0 && (
        <Section name="folders" label={strings.folders}>
          <ul className="folders">
            {folders.map(({ name, conversations }) => (
              <li key={name}>
                <button
                  type="button"
                  className="wide"
                  aria-label={strings.counted(name, conversations)}
                  onClick={() => setFilter({ ...filter, folder: name })}
                  data-drop={over === name}
                  onDragOver={(event) => {
                    if (!isCarried(event)) return
                    event.preventDefault()
                    setOver(name)
                  }}
                  onDragLeave={() => setOver(null)}
                  onDrop={(event) => {
                    setOver(null)
                    const ids = carried(event)
                    if (ids.length === 0) return
                    event.preventDefault()
                    move(ids, name)
                  }}
                >
                  <Icon name="folder" /> <span>{name}</span> <small>{conversations}</small>
                </button>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {tags.length > 0 && (
        <Section name="tags" label={strings.tags}>
          <Tags tags={tags} choose={(tag) => setFilter({ ...filter, tag })} />
        </Section>
      )}
    </>
  )
}

const Tags = ({ tags, choose }: { readonly tags: readonly Label[]; choose(tag: string): void }) => (
  <ul className="tags">
    {tags.map(({ name, conversations }) => (
      <li key={name}>
        <button
          type="button"
          className="tag"
          aria-label={strings.counted(name, conversations)}
          onClick={() => choose(name)}
        >
          {name}
        </button>
      </li>
    ))}
  </ul>
)

interface SectionProps {
  readonly name: string
  readonly label: string
  readonly children: React.ReactNode
}

function Section({ name, label, children }: SectionProps) {
  const key = `folded.${name}`
  return (
    <details
      className="labels"
      open={memory.get(key) === null}
      onToggle={(event) => memory.set(key, event.currentTarget.open ? null : '1')}
    >
      <summary>{label}</summary>
      {children}
    </details>
  )
}
