/** What became of the messages of all windows, and why some were not sent whole. */
import type { UsageReport } from '../../src/client/index.js'
import { count } from '../strings/number.js'
import { strings } from '../strings/pages.js'
import { PlainTable, Table } from './chart.js'

const order = ['kept', 'recalled', 'summarised', 'folded', 'clipped', 'dropped']

interface Props {
  readonly fates: Readonly<Record<string, number>>
  readonly rules: UsageReport['rules']
}

export function Fates({ fates, rules }: Props) {
  const known = order.filter((fate) => (fates[fate] ?? 0) > 0)
  const nameOf = (fate: string): string => strings.fates[fate] ?? fate
  return (
    <figure className="chart">
      <figcaption>
        <h2>{strings.charts.fates}</h2>
      </figcaption>
      <p className="dim small">{strings.charts.fatesSays}</p>
      <div className="fate-bar" aria-hidden="true">
        {known.map((fate) => (
          <i key={fate} data-fate={fate} style={{ flexGrow: fates[fate] }} title={`${nameOf(fate)}: ${fates[fate]}`} />
        ))}
      </div>
      <ul className="legend">
        {known.map((fate) => (
          <li key={fate}>
            <i data-fate={fate} aria-hidden="true" />
            {nameOf(fate)} <b>{count(fates[fate] ?? 0)}</b>
          </li>
        ))}
      </ul>
      {rules.length === 0 ? (
        <p className="dim small">{strings.nothingLeftOut}</p>
      ) : (
        <Rules rules={rules} nameOf={nameOf} />
      )}
    </figure>
  )
}

function Rules({ rules, nameOf }: { readonly rules: Props['rules']; nameOf(fate: string): string }) {
  const head = [strings.columns.rule, strings.columns.fate, strings.columns.messages]
  const rows = rules.map(({ fate, rule, messages }) => [rule.replaceAll(/[._]/g, ' '), nameOf(fate), count(messages)])
  return (
    <div className="rules">
      <h3>{strings.charts.rules}</h3>
      <PlainTable head={head} rows={rows.slice(0, 4)} />
      {rows.length > 4 && <Table head={head} rows={rows} />}
    </div>
  )
}
