/** A summary is a quiet line: what it stands for, what it says, and the way back to the words themselves. */
import { useState } from 'react'
import type { Message } from '../../src/client/index.js'
import { placeWith } from '../place.js'
import { words } from '../strings/chat.js'
import { useScreen } from './context.js'
import { extentOf, type Section, sectionsOf } from './statements.js'

export function SummaryRow({ summary }: { readonly summary: Message }) {
  const { actions } = useScreen()
  const [open, setOpen] = useState(false)
  const { covers, tokens } = extentOf(summary)
  const { excluded } = summary
  return (
    <article id={`m-${summary.id}`} className="message summary" aria-label={words.summary} tabIndex={-1}>
      <p className="summary-line" data-unused={excluded}>
        <span>
          {words.summaryOf(covers)}
          {tokens && ` ${words.summaryTokens(...tokens)}`}
          {excluded && ` · ${words.summaryUnused}`}
        </span>
        <button type="button" className="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? words.closeSummary : words.openSummary}
        </button>
        <button
          type="button"
          className="quiet"
          title={words.undoHint}
          onClick={() => void actions.mark(summary, { excluded: !excluded }).catch(() => {})}
        >
          {excluded ? words.redoSummary : words.undoSummary}
        </button>
      </p>
      {open && sectionsOf(summary).map((section, at) => <Stated key={section.heading ?? at} section={section} />)}
    </article>
  )
}

function Stated({ section: { heading, statements } }: { readonly section: Section }) {
  return (
    <section className="stated">
      {heading !== null && <h4>{heading}</h4>}
      <ul>
        {statements.map(({ text, sources }) => (
          <li key={text}>
            {text}
            {sources.map((id, at) => (
              <a key={id} href={placeWith({ message: id })} aria-label={words.source(at + 1)}>
                {at + 1}
              </a>
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}
