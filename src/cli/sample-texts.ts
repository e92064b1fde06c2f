/** The long outputs of the sample: code, searches, test runs and a CI log, the same on every machine. */

const services = ['cart', 'checkout', 'coupon', 'currency', 'discount', 'invoice', 'money', 'refund', 'shipping', 'tax']
const chores = [
  'reads the fixtures of the shop',
  'warms up the price cache',
  'compares the stored totals with the new ones',
  'writes its part of the coverage report',
]
const verbs = ['adds up', 'rounds once', 'keeps the cents', 'splits', 'refuses a negative amount', 'survives a reload']

/** Scattered, but the same for the same seed, whoever asks. */
const pick = (seed: number, most: number): number => (Math.imul(seed + 1, 2_654_435_761) >>> 12) % most

const of = <T>(list: readonly T[], seed: number): T => list[pick(seed, list.length)] as T

const repeat = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')

export const grepOutput = (pattern: string, count: number): string =>
  repeat(count, (i) => {
    const name = of(services, i)
    return `src/${name}/${name}.ts:${12 + pick(i, 240)}:  const total = ${pattern}(${of(services, i + 3)}.amount * ${1 + pick(i, 9)})`
  })

export const fileOutput = (path: string, count: number): string =>
  `// ${path}\n${repeat(count, (i) => {
    const [name, other] = [of(services, i), of(services, i * 3 + 1)]
    if (i % 6 === 0) return `export function ${name}${i}(lines: readonly Line[], at: Rate): Money {`
    if (i % 6 === 4) return `  return { amount: Math.round(sum * ${100 + pick(i, 9)}) / 100, currency: at.${other} }`
    if (i % 6 === 5) return '}'
    return `  const ${other}${i} = lines.reduce((sum, line) => sum + line.price * line.count, ${pick(i, 50)})`
  })}`

export const testOutput = (passed: number, failures: readonly string[]): string =>
  [
    '> shop-checkout@3.12.0 test',
    '> vitest run --reporter=verbose',
    '',
    repeat(
      passed,
      (i) => ` ✓ test/${of(services, i)}.test.ts > ${of(services, i + 2)} ${of(verbs, i)} (${2 + pick(i, 40)} ms)`,
    ),
    ...failures.map((failure) => ` ✗ ${failure}`),
    '',
    ` Tests  ${failures.length} failed | ${passed} passed (${passed + failures.length})`,
    ` Duration  ${(passed * 0.043).toFixed(2)} s`,
  ].join('\n')

export const ciLog = (count: number): string =>
  [
    'Run https://ci.example.com/shop/checkout/runs/90417 on runner ubuntu-24.04-8core',
    repeat(
      count,
      (i) => `[${of(services, i)}] worker ${1 + pick(i, 8)} ${of(chores, i)} and ${of(verbs, i)}, nothing to report`,
    ),
    '[invoice] FAIL test/invoice.test.ts > prints the total of order 10233',
    '  expected "11.75 EUR" but got "11.74 EUR" at src/invoice/format.ts:88:14',
    'Process completed with exit code 1. Artifacts: /var/ci/90417/junit.xml',
  ].join('\n')

export const orders = (count: number): string =>
  `order,lines,subtotal,discount,charged,expected\n${repeat(count, (i) => {
    const cents = 1305 + pick(i, 9000)
    const off = Math.round(cents * 0.1)
    const euros = (value: number): string => (value / 100).toFixed(2)
    return `${10_233 + i * 17},${1 + pick(i, 6)},${euros(cents)},10 %,${euros(cents - off)},${euros(cents - off + 1)}`
  })}`

/** The house rules on money: prose that no fold can shorten. */
export const houseRules = (count: number): string =>
  repeat(count, (i) => {
    const [one, other] = [of(services, i), of(services, i * 5 + 2)]
    return `${i + 1}. A ${one} ${of(verbs, i)} before the ${other} sees it; the limit is ${1 + pick(i, 40)} lines and ${5 + pick(i, 90)} ms, see docs/money/${one}-${i + 1}.md.`
  })
