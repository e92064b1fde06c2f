/** Breakpoints of the prompt cache. */
import { leastCached } from '../profile/claude.js'
import type { AnthropicReport } from './anthropic.js'
import { blocksOf, isOf, isThinking } from './anthropic-thinking.js'
import type { Fields, Json } from './json.js'
import type { Scope } from './scope.js'
import { isFields, isFilled, isList, isOptional, type List } from './shape.js'

interface Point {
  readonly block: Fields
  readonly path: string
  readonly hour: boolean
}

const cacheLimit = 4

export function judgeCache(list: List, scope: Scope, report: AnthropicReport): void {
  const points = pointsOf(list)
  if (points.length > cacheLimit)
    report('cache.many', list.path, `${points.length} blocks have cache_control, at most ${cacheLimit} may`)
  const short = points.findIndex(({ hour }) => !hour)
  points.forEach(({ block, path, hour }, i) => {
    if (hour && short !== -1 && i > short) report('cache.order', path, 'an hour comes after five minutes')
    const empty = block.type === 'text' && !isFilled(block.text)
    if (isThinking(block) || empty) report('cache.place', path, 'the block cannot have cache_control')
  })
  judgeLosses(list, points, scope, report)
}

/** In the order of the cache: tools, system, messages, with what is inside of results. */
function pointsOf({ body, values, path }: List): readonly Point[] {
  const points: Point[] = []
  const visit = (blocks: Json | undefined, at: string): void => {
    if (!isList(blocks)) return
    blocks.forEach((block, i) => {
      if (!isFields(block)) return
      if (isOf(block, 'tool_result')) visit(block.content, `${at}[${i}].content`)
      const control = block.cache_control
      if (isOptional(control)) return
      points.push({ block, path: `${at}[${i}]`, hour: isFields(control) && control.ttl === '1h' })
    })
  }
  visit(body.tools, 'tools')
  visit(body.system, 'system')
  values.forEach((message, i) => {
    visit(blocksOf(message), `${path}[${i}].content`)
  })
  return points
}

/** So many blocks back from a breakpoint the cache is looked for. */
const lookback = 20

function judgeLosses(list: List, points: readonly Point[], scope: Scope, report: AnthropicReport): void {
  const [first] = points
  if (first && sizeBefore(list, first) < 2 * leastCached(scope.model))
    report('cache.small', first.path, 'the prefix is too short')
  const start = list.values.findLastIndex(
    (message) =>
      isFields(message) && message.role === 'user' && !blocksOf(message).some((block) => isOf(block, 'tool_result')),
  )
  const turn = list.values.slice(Math.max(0, start))
  const inTurn = turn.flatMap(blocksOf)
  const marked = inTurn.filter((block) => isFields(block) && !isOptional(block.cache_control)).length
  if (points.length > 0 && inTurn.length > lookback && marked < 2)
    report('cache.far', list.path, `the last turn has ${inTurn.length} blocks and ${marked} breakpoints`)
  const { before } = scope
  if (!isFields(before) || points.length === 0) return
  const lost = ['tools', 'system'].find((key) => bare(before[key]) !== bare(list.body[key]))
  const old = isList(before.messages) ? before.messages : []
  const changed = old.findIndex((message, i) => bare(message) !== bare(list.values[i]))
  if (lost) report('cache.changed', lost, 'it is not what the request before had')
  else if (changed !== -1 && changed < old.length - 1)
    report('cache.changed', `${list.path}[${changed}]`, 'it is not what the request before had')
}

const bare = (value: Json | undefined): string =>
  JSON.stringify(value ?? null, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner))

/** Characters up to the breakpoint, roughly. */
function sizeBefore({ body, values }: List, { path }: Point): number {
  const tools = bare(body.tools).length
  if (path.startsWith('tools')) return tools
  const system = tools + bare(body.system).length
  if (path.startsWith('system')) return system
  const at = Number(/\[(\d+)\]/.exec(path)?.[1] ?? 0)
  return system + values.slice(0, at + 1).reduce<number>((sum, message) => sum + bare(message).length, 0)
}
