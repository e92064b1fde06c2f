/** Mermaid's flowcharts: what they say, and where each box stands. What is not understood is null, and stays code. */

export interface FlowBox {
  readonly id: string
  readonly lines: readonly string[]
  readonly shape: 'box' | 'round' | 'diamond' | 'circle'
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

export interface FlowEdge {
  readonly from: string
  readonly to: string
  readonly text: string
  readonly look: 'plain' | 'dashed' | 'thick'
  readonly arrow: boolean
}

export interface Flow {
  readonly type: 'flow'
  readonly across: boolean
  readonly boxes: readonly FlowBox[]
  readonly edges: readonly FlowEdge[]
  readonly width: number
  readonly height: number
}

const most = { boxes: 80, edges: 160 }
const shapes: readonly (readonly [RegExp, FlowBox['shape']])[] = [
  [/\(\((.+?)\)\)/y, 'circle'],
  [/\(\[(.+?)\]\)/y, 'round'],
  [/\[\((.+?)\)\]/y, 'round'],
  [/\[\[(.+?)\]\]/y, 'box'],
  [/\{\{(.+?)\}\}/y, 'diamond'],
  [/\[(.+?)\]/y, 'box'],
  [/\((.+?)\)/y, 'round'],
  [/\{(.+?)\}/y, 'diamond'],
  [/>(.+?)\]/y, 'box'],
]
const name = /\s*([\p{L}\p{N}_]+)/uy
const told = /\s*<?(--|==|-\.)\s+([^|>]+?)\s+(?:--+|==+|\.+-)([>xo]?)/y
const bare = /\s*<?(--+|==+|-\.+-)([>xo]?)\s*(?:\|([^|]*)\|)?/y
const skipped = /^(?:subgraph\b|end$|style\b|classDef\b|class\b|linkStyle\b|click\b|direction\b)/

type Known = Map<string, { text: string; shape: FlowBox['shape'] }>

export function flowOf(lines: readonly string[]): Flow | null {
  const head = /^(?:graph|flowchart)(?:\s+(TD|TB|BT|LR|RL))?$/.exec(lines[0] ?? '')
  if (!head) return null
  const known: Known = new Map()
  const edges: FlowEdge[] = []
  for (const line of lines.slice(1)) if (!skipped.test(line) && !statement(line, known, edges)) return null
  if (known.size === 0 || known.size > most.boxes || edges.length > most.edges) return null
  return placed(known, edges, head[1] === 'LR' || head[1] === 'RL')
}

/** `A[One] & B -->|yes| C{Two}`; false where something is left over. */
function statement(line: string, known: Known, edges: FlowEdge[]): boolean {
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(line)
    if (found) at = pattern.lastIndex
    return found
  }
  const group = (): string[] | null => {
    const ids: string[] = []
    do {
      const id = match(name)?.[1]
      if (id === undefined) return null
      const shaped = shapes
        .map(([pattern, shape]) => [match(pattern)?.[1], shape] as const)
        .find(([text]) => text !== undefined)
      match(/:::[\w-]+/y)
      if (shaped) known.set(id, { text: clean(shaped[0] ?? id), shape: shaped[1] })
      else if (!known.has(id)) known.set(id, { text: id, shape: 'box' })
      ids.push(id)
    } while (match(/\s*&/y))
    return ids
  }
  let before = group()
  while (before && line.slice(at).trim() !== '') {
    const labelled = match(told)
    const link = labelled ?? match(bare)
    if (!link) return false
    const [, mark = '', , third] = link
    const text = labelled ? (labelled[2] ?? '') : (third ?? '')
    const arrow = (labelled ? (third ?? '') : (link[2] ?? '')) !== ''
    const look = mark.startsWith('=') ? 'thick' : mark.includes('.') ? 'dashed' : 'plain'
    const after = group()
    if (!after) return false
    for (const from of before) for (const to of after) edges.push({ from, to, text: clean(text), look, arrow })
    before = after
  }
  return before !== null
}

export const clean = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replaceAll(/<br\s*\/?>/g, '\n')

/** At most so many letters in a line. */
export function wrapped(text: string, letters = 26): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = []
    for (const word of line.split(/\s+/)) {
      const last = lines.at(-1)
      if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`
      else lines.push(word)
    }
    return lines
  })
}

export const widthOf = (lines: readonly string[]): number => Math.max(...lines.map(({ length }) => length)) * 7.3

function placed(known: Known, edges: readonly FlowEdge[], across: boolean): Flow {
  const layers = layersOf([...known.keys()], edges)
  const sized = new Map(
    [...known].map(([id, { text, shape }]) => {
      const lines = wrapped(text)
      const [w, h] = [widthOf(lines) + 28, lines.length * 18 + 18]
      const size =
        shape === 'diamond'
          ? { w: w * 1.35, h: h * 1.6 }
          : shape === 'circle'
            ? { w: Math.max(w, h), h: Math.max(w, h) }
            : { w, h }
      return [id, { id, lines, shape, ...size }] as const
    }),
  )
  const sizeOf = (id: string) => sized.get(id) ?? { id, lines: [id], shape: 'box' as const, w: 40, h: 36 }
  const along = (id: string): number => (across ? sizeOf(id).w : sizeOf(id).h)
  const beside = (id: string): number => (across ? sizeOf(id).h : sizeOf(id).w)
  const spans = layers.map((ids) => ids.reduce((sum, id) => sum + beside(id) + 28, -28))
  const widest = Math.max(...spans)
  const boxes: FlowBox[] = []
  let down = 12
  for (const [index, ids] of layers.entries()) {
    const deep = Math.max(...ids.map(along))
    let side = 12 + (widest - (spans[index] ?? 0)) / 2
    for (const id of ids) {
      const [a, b] = [down + deep / 2, side + beside(id) / 2]
      boxes.push({ ...sizeOf(id), x: across ? a : b, y: across ? b : a })
      side += beside(id) + 28
    }
    down += deep + 56
  }
  const [length, breadth] = [down - 56 + 12, widest + 24]
  return { type: 'flow', across, boxes, edges, width: across ? length : breadth, height: across ? breadth : length }
}

/** As far from a beginning as the longest way; what would lead back is not counted. */
function layersOf(ids: readonly string[], edges: readonly FlowEdge[]): readonly (readonly string[])[] {
  const next = new Map(
    ids.map((id) => [id, edges.filter(({ from, to }) => from === id && to !== id).map(({ to }) => to)]),
  )
  const depth = new Map<string, number>()
  const open = new Set<string>()
  const order: string[] = []
  const forward: (readonly [string, string])[] = []
  const visit = (id: string): void => {
    open.add(id)
    for (const to of next.get(id) ?? []) {
      if (open.has(to)) continue
      forward.push([id, to])
      if (!depth.has(to)) {
        depth.set(to, 0)
        visit(to)
      }
    }
    open.delete(id)
    order.unshift(id)
  }
  for (const id of ids)
    if (!depth.has(id)) {
      depth.set(id, 0)
      visit(id)
    }
  for (const id of order)
    for (const [from, to] of forward)
      if (from === id) depth.set(to, Math.max(depth.get(to) ?? 0, (depth.get(from) ?? 0) + 1))
  const layers: string[][] = Array.from({ length: Math.max(...depth.values()) + 1 }, () => [])
  for (const id of ids) layers[depth.get(id) ?? 0]?.push(id)
  // each stands near the middle of those it comes from
  for (const [index, layer] of layers.entries()) {
    const above = layers[index - 1]
    if (!above) continue
    const middle = new Map(
      layer.map((id, at) => {
        const from = forward
          .filter(([, to]) => to === id)
          .map(([one]) => above.indexOf(one))
          .filter((place) => place >= 0)
        return [id, from.length === 0 ? at : from.reduce((sum, place) => sum + place, 0) / from.length]
      }),
    )
    layer.sort((one, other) => (middle.get(one) ?? 0) - (middle.get(other) ?? 0))
  }
  return layers.filter(({ length }) => length > 0)
}
