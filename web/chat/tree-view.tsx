/** The whole conversation as a tree: what follows without a fork is one line until it is unfolded. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { Branch, TreeNode } from '../../src/client/index.js'
import { Dialog } from '../dialog.js'
import { Icon } from '../icons.js'
import { words } from '../strings/chat.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'
import { type Stretch, stretchesOf, treeOf } from './tree.js'

interface Line {
  readonly node: TreeNode
  readonly level: number
  readonly branches: readonly Branch[]
  /** Messages that are folded into this line; null where it is one of them. */
  readonly rest: number | null
  readonly isOpen: boolean
}

const lineHeight = 40

export function TreeView({ close }: { close(): void }) {
  const { chat, actions } = useScreen()
  const { nodes, branches, messages } = useBox(chat.state)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [at, setAt] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => void chat.grow().catch(() => {}), [chat])

  const stretches = useMemo(() => stretchesOf(treeOf(nodes), branches), [nodes, branches])
  const lines = useMemo(() => stretches.flatMap((stretch) => linesOf(stretch, open)), [stretches, open])
  const here = useMemo(() => new Set(messages?.map(({ id }) => id)), [messages])
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    overscan: 8,
  })

  const move = (to: number): void => {
    const next = Math.max(0, Math.min(lines.length - 1, to))
    setAt(next)
    list.scrollToIndex(next)
  }
  const fold = (line: Line, wanted: boolean): void => {
    if (line.rest === null || line.isOpen === wanted) return
    const next = new Set(open)
    if (wanted) next.add(line.node.id)
    else next.delete(line.node.id)
    setOpen(next)
  }
  const go = (line: Line): void => {
    close()
    void actions.show(line.node.id).catch(() => {})
  }
  const pressed = (event: KeyboardEvent): void => {
    const line = lines[at]
    if (!line) return
    const steps = new Map<string, () => void>([
      ['ArrowDown', () => move(at + 1)],
      ['ArrowUp', () => move(at - 1)],
      ['PageDown', () => move(at + 12)],
      ['PageUp', () => move(at - 12)],
      ['Home', () => move(0)],
      ['End', () => move(lines.length - 1)],
      ['ArrowRight', () => fold(line, true)],
      ['ArrowLeft', () => fold(line, false)],
      ['Enter', () => go(line)],
    ])
    const step = steps.get(event.key)
    if (!step) return
    event.preventDefault()
    step()
  }

  return (
    <Dialog label={words.treeTitle} name="tree" close={close}>
      <p className="dim small">
        {words.treeCount(nodes.length, branches.length)}. {words.treeHint}.
      </p>
      {lines.length === 0 && <p className="note dim">{words.treeEmpty}</p>}
      <div
        ref={box}
        className="tree-box"
        role="tree"
        aria-label={words.treeTitle}
        tabIndex={0}
        aria-activedescendant={lines[at] ? `t-${lines[at].node.id}` : undefined}
        onKeyDown={pressed}
      >
        <div style={{ height: list.getTotalSize(), position: 'relative' }}>
          {list.getVirtualItems().map(({ index, start }) => {
            const line = lines[index]
            return line ? (
              <TreeLine
                key={line.node.id}
                line={line}
                start={start}
                isActive={index === at}
                isHere={here.has(line.node.id)}
                go={() => go(line)}
                fold={() => {
                  setAt(index)
                  fold(line, !line.isOpen)
                }}
              />
            ) : null
          })}
        </div>
      </div>
    </Dialog>
  )
}

interface TreeLineProps {
  readonly line: Line
  readonly start: number
  readonly isActive: boolean
  readonly isHere: boolean
  go(): void
  fold(): void
}

function TreeLine({ line: { node, level, branches, rest, isOpen }, start, isActive, isHere, go, fold }: TreeLineProps) {
  return (
    <div
      id={`t-${node.id}`}
      className="tree-line"
      role="treeitem"
      aria-level={level + 1}
      aria-expanded={rest === null || rest === 0 ? undefined : isOpen}
      aria-selected={isActive}
      data-here={isHere}
      data-role={node.role}
      tabIndex={-1}
      style={{ transform: `translateY(${start}px)`, paddingLeft: `${Math.min(level, 12) * 18 + 8}px` }}
    >
      {rest !== null && rest > 0 ? (
        <button type="button" className="square" tabIndex={-1} aria-hidden="true" onClick={fold}>
          <Icon name={isOpen ? 'down-small' : 'right'} />
        </button>
      ) : (
        <i className="tree-dot" />
      )}
      <button type="button" className="tree-go" tabIndex={-1} onClick={go}>
        <b>
          {node.role === 'user' ? words.you : node.role === 'assistant' ? words.assistant : (node.role ?? node.kind)}
        </b>{' '}
        {node.preview}
      </button>
      {rest !== null && rest > 0 && !isOpen && <small className="dim">{words.more(rest)}</small>}
      {branches.map(({ name }) => (
        <span className="badge plain" key={name}>
          {name}
        </span>
      ))}
    </div>
  )
}

/** A line for the stretch; unfolded, one for each of its messages. */
function linesOf({ nodes, level, branches }: Stretch, open: ReadonlySet<string>): Line[] {
  const [first, ...rest] = nodes
  if (!first) return []
  const isOpen = open.has(first.id)
  const head: Line = { node: first, level, branches, rest: rest.length, isOpen }
  if (!isOpen) return [head]
  return [head, ...rest.map((node): Line => ({ node, level: level + 1, branches: [], rest: null, isOpen: false }))]
}
