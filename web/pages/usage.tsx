/** What was sent to models, what was left out, and what that saved. */
import { useEffect, useState } from 'react'
import type { UsageFigures, UsageReport } from '../../src/client/index.js'
import { api, told } from '../api.js'
import { addressOf } from '../place.js'
import { Choose } from '../search/filters.js'
import { count } from '../strings/number.js'
import { strings } from '../strings/pages.js'
import { Chart, PlainTable } from './chart.js'
import { Fates } from './fate-bar.js'
import { Frame } from './frame.js'

const dayMs = 86_400_000
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

export function Usage({ openList }: { openList(): void }) {
  const [span, setSpan] = useState('30')
  const [report, setReport] = useState<UsageReport | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let left = false
    const from = dayOf(Date.now() - (Number(span) - 1) * dayMs)
    const load = async (): Promise<void> => {
      try {
        const found = await api.usage({ from })
        if (left) return
        setReport(found)
        setError(null)
      } catch (error) {
        if (!left) setError(error)
      }
    }
    void load()
    return () => {
      left = true
    }
  }, [span])
  const range = <Choose label={strings.range} value={span} options={strings.ranges} set={setSpan} />
  return (
    <Frame title={strings.usage} says={strings.usageSays} actions={range} openList={openList}>
      {error !== null && (
        <p className="problem" role="alert">
          {told(error)}
        </p>
      )}
      {report === null && error === null && (
        <div className="skeleton tall" role="status" aria-label={strings.loading}>
          <i />
          <i />
          <i />
        </div>
      )}
      {report !== null && (report.totals.runs === 0 ? <Empty /> : <Figures report={report} />)}
    </Frame>
  )
}

const Empty = () => (
  <div className="empty">
    <svg viewBox="0 0 120 48" aria-hidden="true">
      {[12, 22, 16, 30, 24, 38].map((size, at) => (
        <rect key={size} x={at * 20 + 3} y={46 - size} width="14" height={size} rx="3" />
      ))}
    </svg>
    <h2>{strings.usageEmpty}</h2>
    <p className="dim">{strings.usageEmptyMore}</p>
    <a className="primary" href="#/">
      {strings.startNew}
    </a>
  </div>
)

function Figures({ report }: { readonly report: UsageReport }) {
  const { totals, rules, conversations } = report
  const days = everyDay(report)
  const of = (pick: (one: UsageFigures) => number | null) => {
    const known = new Map(report.days.map((one) => [one.day, pick(one)]))
    return days.map((day) => known.get(day) ?? null)
  }
  const { charts, series, columns } = strings
  return (
    <>
      <Tiles totals={totals} />
      <div className="charts">
        <Chart
          title={charts.tokens}
          days={days}
          series={[
            { name: series.sent, look: 'one', values: of((one) => one.tokens_sent) },
            { name: series.saved, look: 'two', values: of((one) => one.tokens_saved) },
          ]}
        />
        <Chart
          title={charts.messages}
          days={days}
          series={[{ name: series.messages, look: 'one', values: of((one) => one.messages) }]}
        />
        <Chart
          title={charts.reuse}
          days={days}
          share
          series={[{ name: series.reuse, look: 'one', values: of((one) => one.prefix_reuse) }]}
        />
        <Fates fates={totals.fates} rules={rules} />
      </div>
      <section className="chart whole">
        <h2>{charts.conversations}</h2>
        <div className="scroll">
          <PlainTable
            head={[columns.conversation, columns.answers, columns.sent, columns.saved, columns.dropped, columns.reuse]}
            rows={conversations.slice(0, 20).map((one) => [
              one.title === null ? (
                strings.deletedSince
              ) : (
                <a key={one.conversation_id} href={addressOf(one.conversation_id)}>
                  {one.title || strings.untitled}
                </a>
              ),
              count(one.runs),
              count(one.tokens_sent),
              count(one.tokens_saved),
              count(one.messages_dropped),
              one.prefix_reuse === null ? '–' : `${Math.round(one.prefix_reuse * 100)} %`,
            ])}
          />
        </div>
      </section>
    </>
  )
}

function Tiles({ totals }: { readonly totals: UsageFigures }) {
  const { tiles } = strings
  const all = totals.tokens_sent + totals.tokens_saved
  const saved = all === 0 ? 0 : Math.round((totals.tokens_saved / all) * 100)
  const rows = [
    [tiles.messages, count(totals.messages), tiles.answers(totals.done)],
    [tiles.sent, count(totals.tokens_sent), tiles.sentMore],
    [tiles.saved, count(totals.tokens_saved), tiles.savedMore(saved)],
    [
      tiles.reuse,
      totals.prefix_reuse === null ? '–' : `${Math.round(totals.prefix_reuse * 100)} %`,
      totals.prefix_reuse === null ? tiles.unknown : tiles.reuseMore,
    ],
    ...(totals.cost > 0 ? [[tiles.cost, totals.cost.toFixed(2), tiles.costMore] as const] : []),
  ] as const
  return (
    <dl className="tiles">
      {rows.map(([name, value, more]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{value}</b>
            <small>{more}</small>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** From the first day of which something is known, and a week at least. */
function everyDay({ from, to, days: known }: UsageReport): readonly string[] {
  const days: string[] = []
  const week = dayOf(Date.parse(to) - 6 * dayMs)
  const first = [known[0]?.day ?? week, week].sort()[0] as string
  for (let at = Date.parse(first < from ? from : first); at <= Date.parse(to); at += dayMs) days.push(dayOf(at))
  return days
}
