/** The card of a tool call: what was asked, what came back, how long it took, and whether it may run. */
import { useState } from 'react'
import type { Message, Run } from '../../src/client/index.js'
import { Icon } from '../icons.js'
import { toolWords as words } from '../strings/tools.js'
import { toolOf } from '../tools/name.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'
import type { Result } from './rows.js'
import { isOver } from './state.js'

type Part = Extract<Message, { readonly kind: 'message' }>['parts'][number]
type Call = Extract<Part, { readonly type: 'call' }>

interface Props {
  readonly call: Call
  readonly askedAt: string
  readonly result: Result | null
}

export function ToolCall({ call, askedAt, result }: Props) {
  const { chat } = useScreen()
  const asking = useBox(chat.state, ({ runs }) => runs.find((run) => waitsFor(run, call.id))?.id ?? null)
  const isBusy = useBox(chat.state, ({ run }) => run !== null && !isOver(run))
  if (asking !== null && !result) return <Asking call={call} run={asking} />
  const { state, milliseconds } = endOf(result, askedAt) ?? { state: isBusy ? 'running' : 'pending', milliseconds: 0 }
  return (
    <details className="folded tool" data-state={state}>
      <summary>
        <ToolName call={call} />
        <span className="tool-state">
          {words.states[state]}
          {milliseconds >= 1 && ` · ${words.took(milliseconds)}`}
        </span>
      </summary>
      <Input input={call.input} />
      {result && (
        <>
          <h4>{words.output}</h4>
          <pre>{result.text}</pre>
        </>
      )}
    </details>
  )
}

/** Before it runs: what it would do is shown, and one of three answers is given. */
function Asking({ call, run }: { readonly call: Call; readonly run: string }) {
  const { actions } = useScreen()
  const [busy, setBusy] = useState(false)
  const { server, tool } = toolOf(call.name)
  const decide = (verdict: 'approve' | 'deny' | 'always'): void => {
    setBusy(true)
    actions.decide(run, call, verdict).catch(() => setBusy(false))
  }
  return (
    <section className="folded tool asking" data-state="waiting" aria-label={words.asks(call.name)}>
      <header>
        <ToolName call={call} />
        <span className="tool-state" role="status">
          {busy ? words.deciding : words.states.waiting}
        </span>
      </header>
      <Input input={call.input} />
      <footer>
        {server !== null && (
          <button
            type="button"
            className="quiet"
            title={words.alwaysSays(tool)}
            disabled={busy}
            onClick={() => decide('always')}
          >
            {words.always}
          </button>
        )}
        <span className="grow" />
        <button type="button" className="button" disabled={busy} onClick={() => decide('deny')}>
          {words.deny}
        </button>
        <button type="button" className="primary" disabled={busy} onClick={() => decide('approve')}>
          {words.allow}
        </button>
      </footer>
    </section>
  )
}

function ToolName({ call }: { readonly call: Pick<Call, 'name' | 'input'> }) {
  const { server, tool } = toolOf(call.name)
  return (
    <>
      <Icon name="tool" />
      <span className="tool-name">{tool}</span>
      {server !== null && <span className="tool-server">{server}</span>}
      <code className="tool-brief">{brief(call.input)}</code>
    </>
  )
}

function Input({ input }: { readonly input: unknown }) {
  const text = typeof input === 'string' ? input : (JSON.stringify(input, null, 2) ?? '')
  const isEmpty = text === '' || text === '{}'
  return (
    <>
      <h4>{words.input}</h4>
      {isEmpty ? <p className="dim small">{words.noInput}</p> : <pre>{text}</pre>}
    </>
  )
}

const waitsFor = ({ state, waiting }: Run, call: string): boolean =>
  state === 'waiting' && waiting.some(({ call_id }) => call_id === call)

interface End {
  readonly state: keyof typeof words.states
  readonly milliseconds: number
}

/** The service says how its own tools ended; for others the log's times have to do. */
function endOf(result: Result | null, askedAt: string): End | null {
  if (!result) return null
  const told = result.meta.tool as Partial<End> | undefined
  const { state = result.state, milliseconds = Date.parse(result.at) - Date.parse(askedAt) } = told ?? {}
  return { state: state in words.states ? state : result.state, milliseconds }
}

function brief(input: unknown): string {
  if (typeof input !== 'object' || input === null) return String(input ?? '')
  const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null
  const values = Object.values(input).map((value) =>
    isPlain(value) ? String(value) : Array.isArray(value) && value.every(isPlain) ? value.join(' ') : '…',
  )
  return values.join(', ').slice(0, 80)
}
