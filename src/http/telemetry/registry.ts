/** Numbers for Prometheus. Label values are few: beyond a bound everything new is counted as `other`. */

type Labels = Readonly<Record<string, string | number>>

export interface Counter {
  add(labels?: Labels, by?: number): void
}

export interface Gauge {
  set(value: number, labels?: Labels): void
  add(by: number, labels?: Labels): void
}

export interface Histogram {
  observe(value: number, labels?: Labels): void
}

interface Registry {
  counter(name: string, help: string): Counter
  gauge(name: string, help: string, read?: () => number): Gauge
  histogram(name: string, help: string, buckets: readonly number[]): Histogram
  /** In the text format 0.0.4. */
  text(): string
}

/** Most sets of labels for one name. */
const bound = 400

export function openRegistry(): Registry {
  const families: (() => string[])[] = []

  const family = (name: string, help: string, type: string, rows: () => string[]): void => {
    families.push(() => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...rows()])
  }

  const numbers = (name: string, help: string, type: 'counter' | 'gauge', read?: () => number) => {
    const values = new Map<string, number>()
    family(name, help, type, () => {
      if (read) return [`${name} ${read()}`]
      return Array.from(values, ([labels, value]) => `${name}${labels} ${value}`)
    })
    return {
      set: (value: number, labels: Labels) => void values.set(slot(values, labels), value),
      add: (by: number, labels: Labels) => {
        const key = slot(values, labels)
        values.set(key, (values.get(key) ?? 0) + by)
      },
    }
  }

  return {
    counter(name, help) {
      const { add } = numbers(name, help, 'counter')
      return { add: (labels = {}, by = 1) => add(by, labels) }
    },
    gauge(name, help, read) {
      const { set, add } = numbers(name, help, 'gauge', read)
      return { set: (value, labels = {}) => set(value, labels), add: (by, labels = {}) => add(by, labels) }
    },
    histogram(name, help, buckets) {
      const series = new Map<string, Series>()
      family(name, help, 'histogram', () => Array.from(series.values()).flatMap((one) => rowsOf(name, one, buckets)))
      return {
        observe(value, labels = {}) {
          const key = slot(series, labels)
          const one = series.get(key) ?? { labels: key, counts: buckets.map(() => 0), sum: 0, count: 0 }
          series.set(key, one)
          const at = buckets.findIndex((most) => value <= most)
          if (at >= 0) one.counts[at] = (one.counts[at] as number) + 1
          one.sum += value
          one.count++
        },
      }
    },
    text: () => `${families.flatMap((rows) => rows()).join('\n')}\n`,
  }
}

interface Series {
  readonly labels: string
  /** How many were in each bucket and in none below it. */
  readonly counts: number[]
  sum: number
  count: number
}

function rowsOf(name: string, { labels, counts, sum, count }: Series, buckets: readonly number[]): string[] {
  const within = (most: string): string => (labels === '' ? `{le="${most}"}` : `${labels.slice(0, -1)},le="${most}"}`)
  let below = 0
  return [
    ...buckets.map((most, i) => {
      below += counts[i] as number
      return `${name}_bucket${within(String(most))} ${below}`
    }),
    `${name}_bucket${within('+Inf')} ${count}`,
    `${name}_sum${labels} ${sum}`,
    `${name}_count${labels} ${count}`,
  ]
}

function slot(known: ReadonlyMap<string, unknown>, labels: Labels): string {
  const key = shown(labels)
  if (known.has(key) || known.size < bound) return key
  return shown(Object.fromEntries(Object.keys(labels).map((name) => [name, 'other'])))
}

function shown(labels: Labels): string {
  let text = ''
  for (const name in labels) text += `${text === '' ? '{' : ','}${name}="${quoted(String(labels[name]))}"`
  return text === '' ? '' : `${text}}`
}

const quoted = (value: string): string =>
  /[\\"\n]/.test(value) ? value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n') : value
