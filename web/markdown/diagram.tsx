/** A diagram as React elements: no markup of its author's, no style and no address gets into the page. */
import type { ReactNode } from 'react'
import { type Flow, type FlowBox, flowOf } from './flow.js'
import { type Sequence, sequenceOf } from './sequence.js'

/** Longer ones stay code. */
const mostChars = 8_000

/** Null where it is a kind that is not known here, or has something that is not understood. */
export function diagramOf(text: string): ReactNode | null {
  if (text.length > mostChars) return null
  const lines = text.split(/[\n;]/).flatMap((line) => line.replace(/%%.*/, '').trim() || [])
  const flow = flowOf(lines)
  if (flow) return drawFlow(flow)
  const sequence = sequenceOf(lines)
  return sequence && drawSequence(sequence)
}

function Frame({
  width,
  height,
  label,
  children,
}: {
  width: number
  height: number
  label: string
  children: ReactNode
}) {
  return (
    <svg
      className="diagram"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
    >
      <defs>
        <marker id="diagram-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path className="diagram-head" d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      {children}
    </svg>
  )
}

function Lines({ lines, x, y }: { readonly lines: readonly string[]; readonly x: number; readonly y: number }) {
  const top = y - (lines.length - 1) * 9
  return (
    <text x={x} y={top} textAnchor="middle" dominantBaseline="central">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are never moved
        <tspan key={at} x={x} y={top + at * 18}>
          {line}
        </tspan>
      ))}
    </text>
  )
}

function drawFlow({ boxes, edges, across, width, height }: Flow): ReactNode {
  const byId = new Map(boxes.map((box) => [box.id, box]))
  const nameOf = (id: string): string => byId.get(id)?.lines.join(' ') ?? id
  const label = edges
    .map(({ from, to, text }) => `${nameOf(from)} → ${text === '' ? '' : `${text} → `}${nameOf(to)}`)
    .join('; ')
  return (
    <Frame width={width} height={height} label={label || boxes.map(({ lines }) => lines.join(' ')).join('; ')}>
      {edges.map(({ from, to, text, look, arrow }, at) => {
        const [one, other] = [byId.get(from), byId.get(to)]
        if (!one || !other) return null
        const { path, x, y } = wayOf(one, other, across)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: edges are never moved
          <g key={at}>
            <path
              className="diagram-edge"
              data-look={look}
              d={path}
              markerEnd={arrow ? 'url(#diagram-arrow)' : undefined}
            />
            {text !== '' && (
              <>
                <rect
                  className="diagram-tag"
                  x={x - text.length * 3.4 - 4}
                  y={y - 10}
                  width={text.length * 6.8 + 8}
                  height={20}
                  rx={4}
                />
                <Lines lines={[text]} x={x} y={y} />
              </>
            )}
          </g>
        )
      })}
      {boxes.map((box) => (
        <g key={box.id}>
          <Outline {...box} />
          <Lines lines={box.lines} x={box.x} y={box.y} />
        </g>
      ))}
    </Frame>
  )
}

function Outline({ x, y, w, h, shape }: FlowBox) {
  if (shape === 'circle') return <circle className="diagram-box" cx={x} cy={y} r={w / 2} />
  if (shape === 'diamond')
    return (
      <path className="diagram-box" d={`M${x} ${y - h / 2} ${x + w / 2} ${y} ${x} ${y + h / 2} ${x - w / 2} ${y}z`} />
    )
  return (
    <rect className="diagram-box" x={x - w / 2} y={y - h / 2} width={w} height={h} rx={shape === 'round' ? h / 2 : 6} />
  )
}

/** From border to border; what leads back goes around the side. */
function wayOf(one: FlowBox, other: FlowBox, across: boolean) {
  const back = across ? other.x - other.w / 2 <= one.x : other.y - other.h / 2 <= one.y
  const [x1, y1] = back
    ? across
      ? [one.x, one.y + one.h / 2]
      : [one.x + one.w / 2, one.y]
    : across
      ? [one.x + one.w / 2, one.y]
      : [one.x, one.y + one.h / 2]
  const [x2, y2] = back
    ? across
      ? [other.x, other.y + other.h / 2]
      : [other.x + other.w / 2, other.y]
    : across
      ? [other.x - other.w / 2, other.y]
      : [other.x, other.y - other.h / 2]
  const bend = back ? 40 : (across ? x2 - x1 : y2 - y1) / 2
  const sideways = back !== across
  const [c1x, c1y] = sideways ? [x1 + bend, y1] : [x1, y1 + bend]
  const [c2x, c2y] = back ? (sideways ? [x2 + bend, y2] : [x2, y2 + bend]) : across ? [x2 - bend, y2] : [x2, y2 - bend]
  const path = `M${x1} ${y1}C${c1x} ${c1y} ${c2x} ${c2y} ${x2} ${y2}`
  return { path, x: (x1 + 3 * c1x + 3 * c2x + x2) / 8, y: (y1 + 3 * c1y + 3 * c2y + y2) / 8 }
}

function drawSequence({ actors, steps, width, height }: Sequence): ReactNode {
  const nameOf = (at: number): string => actors[at]?.lines.join(' ') ?? ''
  const xOf = (at: number): number => actors[at]?.x ?? 0
  const label = steps
    .map((step) => (step.type === 'call' ? `${nameOf(step.from)} → ${nameOf(step.to)}: ${step.text}` : step.text))
    .join('; ')
  return (
    <Frame width={width} height={height} label={label || actors.map(({ lines }) => lines.join(' ')).join('; ')}>
      {actors.map(({ lines, x, w }) => (
        <g key={x}>
          <path className="diagram-life" d={`M${x} 48V${height - 8}`} />
          <rect className="diagram-box" x={x - w / 2} y={8} width={w} height={40} rx={6} />
          <Lines lines={lines} x={x} y={28} />
        </g>
      ))}
      {steps.map((step) => {
        if (step.type === 'line')
          return (
            <g key={step.y}>
              <path className="diagram-life" d={`M8 ${step.y + 8}H${width - 8}`} />
              <Lines lines={[step.text]} x={width / 2} y={step.y - 4} />
            </g>
          )
        const [from, to] = [xOf(step.from), xOf(step.to)]
        if (step.type === 'note') {
          const [left, right] = [Math.min(from, to) - 60, Math.max(from, to) + 60]
          return (
            <g key={step.y}>
              <rect className="diagram-note" x={left} y={step.y - 16} width={right - left} height={32} rx={4} />
              <Lines lines={[step.text]} x={(left + right) / 2} y={step.y} />
            </g>
          )
        }
        const way =
          from === to ? `M${from} ${step.y}h36v16H${from + 4}` : `M${from} ${step.y}H${to + (to > from ? -2 : 2)}`
        return (
          <g key={step.y}>
            <path
              className="diagram-edge"
              data-look={step.dashed ? 'dashed' : 'plain'}
              d={way}
              markerEnd="url(#diagram-arrow)"
            />
            <Lines lines={[step.text]} x={from === to ? from + 60 : (from + to) / 2} y={step.y - 11} />
          </g>
        )
      })}
    </Frame>
  )
}
