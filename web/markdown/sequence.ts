/** Mermaid's sequence diagrams. What is not understood is null, and stays code. */
import { clean, widthOf, wrapped } from './flow.js'

export interface Actor {
  readonly lines: readonly string[]
  readonly x: number
  readonly w: number
}

export type SequenceStep =
  | {
      readonly type: 'call'
      readonly from: number
      readonly to: number
      readonly text: string
      readonly dashed: boolean
      readonly y: number
    }
  | { readonly type: 'note'; readonly from: number; readonly to: number; readonly text: string; readonly y: number }
  | { readonly type: 'line'; readonly text: string; readonly y: number }

export interface Sequence {
  readonly type: 'sequence'
  readonly actors: readonly Actor[]
  readonly steps: readonly SequenceStep[]
  readonly width: number
  readonly height: number
}

const mostSteps = 120
const person = /^(?:participant|actor)\s+(.+?)(?:\s+as\s+(.+))?$/
const call = /^(.+?)\s*(--?(?:>>|>|x|\)))\s*[+-]?\s*(.+?)\s*:\s*(.*)$/
const note = /^note\s+(?:over|left of|right of)\s+([^:,]+)(?:,([^:]+))?\s*:\s*(.*)$/i
const part = /^(loop|alt|else|opt|par|and|critical|option|break|rect)\b\s*(.*)$/
const silent = /^(?:end|autonumber|activate\b.*|deactivate\b.*|title\b.*)$/

export function sequenceOf(lines: readonly string[]): Sequence | null {
  if (lines[0] !== 'sequenceDiagram') return null
  const names: string[] = []
  const labels = new Map<string, string>()
  const at = (name: string): number => {
    const known = names.indexOf(name.trim())
    return known >= 0 ? known : names.push(name.trim()) - 1
  }
  const steps: SequenceStep[] = []
  let y = 0
  const below = (by: number): number => {
    y += by
    return y
  }
  for (const line of lines.slice(1)) {
    const joins = person.exec(line)
    const calls = call.exec(line)
    const notes = note.exec(line)
    const parts = part.exec(line)
    if (joins) {
      at(joins[1] ?? '')
      labels.set((joins[1] ?? '').trim(), clean(joins[2] ?? joins[1] ?? ''))
    } else if (silent.test(line)) continue
    else if (parts) steps.push({ type: 'line', text: [parts[1], parts[2]].join(' ').trim(), y: below(34) })
    else if (notes) {
      const from = at(notes[1] ?? '')
      steps.push({ type: 'note', from, to: notes[2] ? at(notes[2]) : from, text: clean(notes[3] ?? ''), y: below(44) })
    } else if (calls) {
      const [, from = '', mark = '', to = '', text = ''] = calls
      steps.push({
        type: 'call',
        from: at(from),
        to: at(to),
        text: clean(text),
        dashed: mark.startsWith('--'),
        y: below(44),
      })
    } else return null
  }
  if (names.length === 0 || names.length > 12 || steps.length > mostSteps) return null
  const longest = Math.max(0, ...steps.map(({ text }) => Math.min(40, text.length)))
  const sized = names.map((name) => {
    const lines = wrapped(labels.get(name) ?? name, 18)
    return { lines, w: widthOf(lines) + 24 }
  })
  const gap = Math.max(120, longest * 6.2 + 24, ...sized.map(({ w }) => w + 24))
  const first = Math.max(60, (sized[0]?.w ?? 0) / 2 + 12)
  const actors = sized.map((one, index) => ({ ...one, x: first + index * gap }))
  const width = first * 2 + (names.length - 1) * gap
  return { type: 'sequence', actors, steps: steps.map((step) => ({ ...step, y: step.y + 62 })), width, height: y + 100 }
}
