/** Chats from another product: a file is read, what it holds is shown, and only then anything is written. */
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { Imported, ImportedConversation, ImportReport } from '../../src/client/index.js'
import { api, told } from '../api.js'
import { Dialog } from '../dialog.js'
import { Icon } from '../icons.js'
import { addressOf } from '../place.js'
import { settingsWords as words } from '../strings/settings.js'
import { useFileDrop } from '../use-file-drop.js'
import './import.css'

interface Props {
  /** One that was dropped. */
  readonly file: File | null
  changed(): void
  close(): void
}

type Step =
  | { readonly type: 'choose' }
  | { readonly type: 'reading' | 'importing'; readonly file: File }
  | { readonly type: 'preview' | 'done'; readonly file: File; readonly lines: readonly Imported[] }
  | { readonly type: 'refused'; readonly why: string }

export function ImportChats({ file, changed, close }: Props) {
  const [step, setStep] = useState<Step>(file ? { type: 'reading', file } : { type: 'choose' })
  const read = useCallback(async (one: File): Promise<void> => {
    setStep({ type: 'reading', file: one })
    await api.import(one, { name: one.name, dry_run: true }).then(
      (lines) => setStep({ type: 'preview', file: one, lines }),
      (error) => setStep({ type: 'refused', why: told(error) }),
    )
  }, [])
  useEffect(() => {
    if (file) void read(file)
  }, [file, read])
  const bring = async (one: File): Promise<void> => {
    setStep({ type: 'importing', file: one })
    try {
      setStep({ type: 'done', file: one, lines: await api.import(one, { name: one.name }) })
      changed()
    } catch (error) {
      setStep({ type: 'refused', why: told(error) })
    }
  }
  return (
    <Dialog label={words.importTitle} name="import" close={close}>
      {(step.type === 'choose' || step.type === 'refused') && (
        <Choose why={step.type === 'refused' ? step.why : null} choose={(one) => void read(one)} />
      )}
      {(step.type === 'reading' || step.type === 'importing') && (
        <p className="import-busy pulse" role="status">
          {step.type === 'reading' ? words.reading(step.file.name) : words.importing}
        </p>
      )}
      {step.type === 'preview' && (
        <Told lines={step.lines} head={previewOf}>
          {(report) => (
            <footer>
              <button type="button" className="quiet" onClick={() => setStep({ type: 'choose' })}>
                {words.another}
              </button>
              {comingIn(report) > 0 && (
                <button type="button" className="primary" onClick={() => void bring(step.file)}>
                  {words.do(comingIn(report))}
                </button>
              )}
            </footer>
          )}
        </Told>
      )}
      {step.type === 'done' && (
        <Told
          lines={step.lines}
          head={({ conversations, messages }) =>
            words.done(conversations.added + conversations.extended, messages.added)
          }
          follow={close}
        >
          {() => (
            <footer>
              <button type="button" className="quiet" onClick={() => setStep({ type: 'choose' })}>
                {words.another}
              </button>
            </footer>
          )}
        </Told>
      )}
    </Dialog>
  )
}

const comingIn = ({ conversations: { added, extended } }: ImportReport): number => added + extended

function previewOf({ conversations, messages, formats }: ImportReport): string {
  if (conversations.found === 0) return words.nothing
  return `${words.preview(conversations.found, messages.found)} ${words.from(Object.keys(formats).join(', '))}`
}

function Choose({ why, choose }: { readonly why: string | null; choose(file: File): void }) {
  const input = useRef<HTMLInputElement>(null)
  const drop = useFileDrop(choose)
  return (
    <>
      {why !== null && (
        <p className="problem" role="alert">
          {why}
        </p>
      )}
      <div className="import-drop" data-over={drop.isOver} {...drop.on}>
        <Icon name="file" />
        <button type="button" className="primary" onClick={() => input.current?.click()}>
          {words.choose}
        </button>
        <p className="dim small">{words.dropSays}</p>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={words.choose}
          accept=".zip,.json,.jsonl,.md,.markdown,.txt,.html"
          onChange={({ target }) => {
            const [one] = target.files ?? []
            if (one) choose(one)
          }}
        />
      </div>
      <p className="dim small">{words.importSays}</p>
    </>
  )
}

interface ToldProps {
  readonly lines: readonly Imported[]
  head(report: ImportReport): string
  children(report: ImportReport): ReactNode
  /** The chats are there, and can be gone to. */
  follow?(): void
}

const shown = 8

function Told({ lines, head, children, follow }: ToldProps) {
  const report = lines.find((line): line is ImportReport => line.type === 'report')
  const chats = lines.filter((line): line is ImportedConversation => line.type === 'conversation')
  if (!report) return null
  const { conversations, messages, branches, files, skipped, warnings } = report
  const facts = { ...conversations, messages: messages.added, branches, files }
  const named = Object.entries(words.facts).filter(([name]) => facts[name as keyof typeof facts] > 0)
  return (
    <div className="import-told">
      <p className="import-head" role="status">
        {head(report)}
      </p>
      {conversations.found === 0 && <p className="dim">{words.nothingMore}</p>}
      {report.dry_run && conversations.found > 0 && comingIn(report) === 0 && <p>{words.nothingNew}</p>}
      {named.length > 0 && (
        <dl className="import-facts">
          {named.map(([name, label]) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>{facts[name as keyof typeof facts]}</dd>
            </div>
          ))}
        </dl>
      )}
      {chats.length > 0 && (
        <ul className="import-chats">
          {chats.slice(0, shown).map(({ id, title, status, messages: count }) => (
            <li key={id}>
              {follow ? (
                <a href={addressOf(id)} onClick={follow}>
                  {title}
                </a>
              ) : (
                <span>{title}</span>
              )}
              <small className="dim">
                {count} · {words.status[status]}
              </small>
            </li>
          ))}
          {chats.length > shown && <li className="dim">{words.more(chats.length - shown)}</li>}
        </ul>
      )}
      <Kinds title={words.left} kinds={skipped} />
      <Kinds title={words.changed} kinds={warnings} />
      {children(report)}
    </div>
  )
}

function Kinds({ title, kinds }: { readonly title: string; readonly kinds: ImportReport['skipped'] }) {
  if (kinds.length === 0) return null
  return (
    <details className="import-kinds">
      <summary>
        {title} <span className="dim">{kinds.reduce((sum, { count }) => sum + count, 0)}</span>
      </summary>
      <ul>
        {kinds.map(({ reason, count, examples }) => (
          <li key={reason}>
            {words.times(count)} {reason}
            {examples.length > 0 && <small className="dim"> {examples.slice(0, 3).join(', ')}</small>}
          </li>
        ))}
      </ul>
    </details>
  )
}
