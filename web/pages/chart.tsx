/** Plots by day, drawn by hand: the picture for eyes, the table beside it for everyone. */
import type { ReactNode } from 'react'
import { count, locale } from '../strings/number.js'
import { strings } from '../strings/pages.js'

export interface Series {
  readonly name: string
  /** How it looks: one of the classes of the style. */
  readonly look: 'one' | 'two'
  readonly values: readonly (number | null)[]
}

interface Props {
  readonly title: string
  readonly days: readonly string[]
  readonly series: readonly Series[]
  /** Shares of one, drawn as a line. */
  readonly share?: boolean
}

const wide = 400
const high = 132
const top = 10
const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayText = (day: string): string => short.format(Date.parse(day))
const percent = (value: number | null): string => (value === null ? '–' : `${Math.round(value * 100)} %`)

export function Chart({ title, days, series, share = false }: Props) {
  const sums = days.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0))
  const most = share ? 1 : niceOf(Math.max(1, ...sums))
  const told = (value: number | null): string => (share ? percent(value) : count(value ?? 0))
  return (
    <figure className="chart">
      <figcaption>
        <h2>{title}</h2>
        {series.length > 1 && (
          <span className="legend" aria-hidden="true">
            {series.map(({ name, look }) => (
              <span key={name}>
                <i data-series={look} />
                {name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <svg viewBox={`-48 0 ${wide + 60} ${high + 24}`} aria-hidden="true">
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line x1="0" x2={wide} y1={yOf(part)} y2={yOf(part)} className="grid" />
            <text x="-8" y={yOf(part) + 4} textAnchor="end">
              {share ? percent(part) : brief(most * part)}
            </text>
          </g>
        ))}
        {share ? <Line series={series} days={days} /> : <Bars series={series} days={days} most={most} />}
        {ticksOf(days).map((at) => (
          <text key={at} x={xOf(at, days.length) + widthOf(days.length) / 2} y={high + 18} textAnchor="middle">
            {dayText(days[at] as string)}
          </text>
        ))}
      </svg>
      <Table
        head={[strings.columns.day, ...series.map(({ name }) => name)]}
        rows={days.map((day, at) => [day, ...series.map(({ values }) => told(values[at] ?? (share ? null : 0)))])}
      />
    </figure>
  )
}

type DrawProps = Pick<Props, 'series' | 'days'>

function Bars({ series, days, most }: DrawProps & { readonly most: number }) {
  const width = widthOf(days.length)
  return days.map((day, at) => {
    let base = 0
    return series.map(({ name, look, values }) => {
      const value = values[at] ?? 0
      const from = base
      base += value
      if (value === 0) return null
      const [y0, y1] = [yOf(from / most), yOf(base / most)]
      return (
        <rect
          key={`${day} ${name}`}
          data-series={look}
          x={xOf(at, days.length) + width * 0.12}
          width={width * 0.76}
          y={y1}
          height={Math.max(1, y0 - y1)}
          rx={Math.min(3, width / 6)}
        >
          <title>{`${dayText(day)}: ${count(value)} ${name}`}</title>
        </rect>
      )
    })
  })
}

function Line({ series, days }: DrawProps) {
  const values = series[0]?.values ?? []
  const points = values.flatMap((value, at) =>
    value === null ? [] : [{ at, value, x: xOf(at, days.length) + widthOf(days.length) / 2, y: yOf(value) }],
  )
  return (
    <>
      <polyline className="trend" points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {points.map(({ at, value, x, y }) => (
        <circle key={at} cx={x} cy={y} r="4" data-series="one">
          <title>{`${dayText(days[at] as string)}: ${percent(value)}`}</title>
        </circle>
      ))}
    </>
  )
}

interface TableProps {
  readonly head: readonly string[]
  readonly rows: readonly (readonly ReactNode[])[]
}

/** The same figures, to read. */
export const Table = ({ head, rows }: TableProps) => (
  <details className="as-table">
    <summary>{strings.asTable}</summary>
    <div className="scroll">
      <PlainTable head={head} rows={rows} />
    </div>
  </details>
)

export const PlainTable = ({ head, rows }: TableProps) => (
  <table className="figures">
    <thead>
      <tr>
        {head.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((cells, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name and do not move
        <tr key={at}>
          {cells.map((cell, column) =>
            column === 0 ? (
              <th key={head[column]} scope="row">
                {cell}
              </th>
            ) : (
              <td key={head[column]}>{cell}</td>
            ),
          )}
        </tr>
      ))}
    </tbody>
  </table>
)

const widthOf = (days: number): number => wide / Math.max(1, days)
const xOf = (at: number, days: number): number => at * widthOf(days)
const yOf = (part: number): number => high - part * (high - top)

/** As many days as can be named side by side. */
function ticksOf(days: readonly string[]): readonly number[] {
  const step = Math.max(1, Math.ceil(days.length / 6))
  return days.flatMap((_, at) => ((days.length - 1 - at) % step === 0 ? [at] : []))
}

function niceOf(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 5, 10].find((times) => times * unit >= value) ?? 10) * unit
}

const brief = (value: number): string =>
  value >= 1e6
    ? `${+(value / 1e6).toFixed(1)}m`
    : value >= 1e3
      ? `${+(value / 1e3).toFixed(1)}k`
      : String(+value.toFixed(1))
