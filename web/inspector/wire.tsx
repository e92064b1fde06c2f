/** The request as the provider got it, made again from the log and compared with what went out. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { api, told } from '../api.js'
import { Copy } from '../copy.js'
import { saveAs } from '../save.js'
import { words } from '../strings/inspector.js'
import type { Seen } from './seen.js'
import { useAnswer } from './use-answer.js'

export function Wire({ seen: { kept, run } }: { readonly seen: Seen }) {
  const { id, receipt } = kept
  const { counter, policy } = receipt
  const { answer, error } = useAnswer((signal) => api.receipts.replay(id, { signal }), id)
  const exact = useMemo(() => (answer ? (answer.body ?? plainOf(answer.request)) : ''), [answer])
  const plain = typeof answer?.request === 'string' && answer.body === null
  const text = useMemo(
    () => (plain || exact === '' ? exact : JSON.stringify(JSON.parse(exact), null, 2)),
    [plain, exact],
  )
  if (error !== null)
    return (
      <p className="problem" role="alert">
        {words.wireFailed} {told(error)}
      </p>
    )
  if (!answer)
    return (
      <div className="skeleton" role="status" aria-label={words.loading}>
        <i />
        <i />
        <i />
      </div>
    )
  const bytes = new TextEncoder().encode(exact).length
  return (
    <section className="wire">
      <p className={answer.same ? 'good' : 'problem'}>{answer.same ? words.wireSame : words.wireOther}</p>
      <p className="dim small">{answer.body === null ? words.wireNotSent : words.wireBytes}</p>
      <p className="dim small">
        {policy.name} · {run.model} · {words.counted(counter.name, counter.exact)}
        {run.usage &&
          `; ${words.provider(run.usage.input, run.drift === null ? null : run.drift - 1)}${words.cache(run.usage)}`}
      </p>
      <figure className="code">
        <figcaption>
          <span>
            {words.wireText(receipt.target, bytes)}, SHA-256 <code>{answer.after.hash.slice(0, 12)}…</code>
          </span>
          <span>
            <Copy label={words.copy} text={() => exact} />
            <button type="button" className="quiet" onClick={() => save(exact, `${id}.${plain ? 'txt' : 'json'}`)}>
              {words.download}
            </button>
          </span>
        </figcaption>
        <Lines text={text} />
      </figure>
    </section>
  )
}

const plainOf = (request: unknown): string => (typeof request === 'string' ? request : JSON.stringify(request))

const save = (text: string, name: string): void => saveAs(new Blob([text], { type: 'application/octet-stream' }), name)

/** Only the lines in sight are drawn. */
function Lines({ text }: { readonly text: string }) {
  const lines = useMemo(() => text.split('\n'), [text])
  const box = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => 20 * Math.max(1, Math.ceil((lines[index]?.length ?? 0) / 60)),
    overscan: 12,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section ref={box} className="lines" tabIndex={0} aria-label={words.wireLabel}>
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map(({ index, key, start }) => (
          <code
            key={key}
            ref={list.measureElement}
            data-index={index}
            data-line={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {lines[index]}
          </code>
        ))}
      </div>
    </section>
  )
}
