/** The window as a bar, and what was not sent as a second one on the same scale. */
import type { Fate, Receipt } from '../../core/receipt/receipt.js'
import { number, type Paint } from './term.js'

type Kind = 'system' | 'tools' | 'pinned' | Exclude<Fate, 'dropped'> | 'marks' | 'current' | 'free' | 'answer'
type Absent = Exclude<Fate, 'kept'>

interface Segment<K extends string = Kind> {
  readonly kind: K
  readonly tokens: number
}

const cells: Readonly<Record<Kind, string>> = {
  system: '░',
  tools: '▒',
  pinned: '▓',
  kept: '█',
  clipped: '▞',
  folded: '▄',
  summarised: '▤',
  recalled: '↩',
  marks: '▪',
  current: '◆',
  free: '·',
  answer: '◦',
}

const hatches: Readonly<Record<Absent, string>> = {
  dropped: '╱',
  clipped: '╳',
  folded: '╲',
  summarised: '═',
  recalled: '┄',
}

const words: Readonly<Partial<Record<Kind, string>>> = { marks: 'marks and framing', answer: 'for the answer' }

interface Picture {
  readonly window: readonly Segment[]
  readonly notSent: readonly Segment<Absent>[]
}

/** What the bars show, as data. */
export function segmentsOf(receipt: Receipt): Picture {
  const { budget, lines, current, request } = receipt
  const { system, tools } = request.parts
  const sent = lines.filter(({ fate, tokens }) => fate !== 'dropped' && tokens && tokens[1] > 0)
  const messages = sent.map(
    ({ fate, rule, tokens }): Segment => ({
      kind: rule === 'pinned' ? 'pinned' : (fate as Exclude<Fate, 'dropped'>),
      tokens: tokens?.[1] ?? 0,
    }),
  )
  const now = current?.tokens[1] ?? 0
  const marks = request.used - system - tools - now - sum(messages)
  const window: Segment[] = [
    { kind: 'system', tokens: system },
    { kind: 'tools', tokens: tools },
    ...messages,
    { kind: 'marks', tokens: marks },
    { kind: 'current', tokens: now },
    { kind: 'free', tokens: request.free ?? 0 },
    { kind: 'answer', tokens: budget.reserve.response },
  ]
  const absent = (['dropped', 'clipped', 'folded', 'summarised', 'recalled'] as const).map((kind) => ({
    kind,
    tokens: lines.reduce((total, { fate, restore }) => total + (fate === kind ? (restore ?? 0) : 0), 0),
  }))
  return { window: window.filter(({ tokens }) => tokens > 0), notSent: absent.filter(({ tokens }) => tokens > 0) }
}

export function draw(receipt: Receipt, width: number, paint: Paint): string[] {
  const { window, notSent } = segmentsOf(receipt)
  const room = Math.max(20, width - 13)
  const [all, missing] = [sum(window), sum(notSent)]
  // a lane many times as long as the window is cut off, or the window could not be seen
  const scale = Math.max(1, all, Math.min(missing, all * 3)) / room
  const told = notSent.map(({ kind, tokens }) => `${hatches[kind]} ${rest[kind]} ${number(tokens)}`)
  return [
    `window    ▕${bar(window, cells, scale, room, paint)}▏`,
    ...wrap(legend(window), width - 11).map((line) => `           ${line}`),
    ...(notSent.length === 0
      ? ['not sent   nothing']
      : [
          `not sent  ▕${bar(notSent, hatches, scale, room, paint)}${missing / scale > room + 0.5 ? '…' : '▏'}`,
          ...wrap(told, width - 11).map((line) => `           ${line}`),
        ]),
  ]
}

const rest: Readonly<Record<Absent, string>> = {
  dropped: 'dropped',
  clipped: 'clipped off',
  folded: 'folded away',
  summarised: 'summarised',
  recalled: 'left out of quotations',
}

/** Each segment has at least one cell; neighbours of one kind are one segment. */
function bar<K extends Kind | Absent>(
  segments: readonly Segment<K>[],
  signs: Readonly<Record<K, string>>,
  scale: number,
  room: number,
  paint: Paint,
): string {
  let out = ''
  let used = 0
  let seen = 0
  for (const { kind, tokens } of united(segments)) {
    seen += tokens
    const end = Math.min(room, Math.max(used + 1, Math.round(seen / scale)))
    out += colour(kind, paint)(signs[kind].repeat(Math.max(0, end - used)))
    used = Math.max(used, end)
  }
  return out
}

function united<K extends string>(segments: readonly Segment<K>[]): Segment<K>[] {
  const out: Segment<K>[] = []
  for (const one of segments) {
    const last = out.at(-1)
    if (last?.kind === one.kind) out[out.length - 1] = { kind: one.kind, tokens: last.tokens + one.tokens }
    else out.push(one)
  }
  return out
}

function legend(segments: readonly Segment[]): string[] {
  const totals = new Map<Kind, number>()
  for (const { kind, tokens } of segments) totals.set(kind, (totals.get(kind) ?? 0) + tokens)
  return [...totals].map(([kind, tokens]) => `${cells[kind]} ${words[kind] ?? kind} ${number(tokens)}`)
}

function wrap(entries: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const entry of entries) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 3 + entry.length <= width) lines[lines.length - 1] = `${last}   ${entry}`
    else lines.push(entry)
  }
  return lines
}

function colour(kind: Kind | Absent, paint: Paint): (text: string) => string {
  if (kind === 'free' || kind === 'answer' || kind === 'system' || kind === 'tools') return paint.dim
  if (kind === 'clipped') return paint.yellow
  if (kind === 'folded') return paint.cyan
  if (kind === 'dropped') return paint.red
  return kind === 'current' || kind === 'pinned' ? paint.magenta : paint.green
}

const sum = (segments: readonly { readonly tokens: number }[]): number =>
  segments.reduce((total, { tokens }) => total + tokens, 0)
