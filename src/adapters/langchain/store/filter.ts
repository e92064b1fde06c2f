/** Which items a search means, by LangGraph's operators. */
type Test = (value: unknown, asked: unknown) => boolean

const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['$eq', (value, asked) => value === asked],
  ['$ne', (value, asked) => value !== asked],
  ['$gt', (value, asked) => Number(value) > Number(asked)],
  ['$gte', (value, asked) => Number(value) >= Number(asked)],
  ['$lt', (value, asked) => Number(value) < Number(asked)],
  ['$lte', (value, asked) => Number(value) <= Number(asked)],
  ['$in', (value, asked) => Array.isArray(asked) && asked.includes(value)],
  ['$nin', (value, asked) => !Array.isArray(asked) || !asked.includes(value)],
])

export const passes = (
  value: Readonly<Record<string, unknown>>,
  filter: Readonly<Record<string, unknown>> = {},
): boolean => Object.entries(filter).every(([name, asked]) => passesOne(value[name], asked))

function passesOne(value: unknown, asked: unknown): boolean {
  const asks = typeof asked === 'object' && asked !== null ? Object.entries(asked) : []
  if (asks.length === 0 || !asks.every(([operator]) => tests.has(operator))) return value === asked
  return asks.every(([operator, operand]) => tests.get(operator)?.(value, operand))
}
