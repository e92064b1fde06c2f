/** A tool call, folded: what was asked, what came back, and whether that went well. */
import type { Message } from '../../src/client/index.js'
import { Icon } from '../icons.js'
import { words } from '../strings/chat.js'
import type { Result } from './rows.js'

type Part = Extract<Message, { readonly kind: 'message' }>['parts'][number]
type Call = Extract<Part, { readonly type: 'call' }>

export function ToolCall({
  call,
  askedAt,
  result,
}: {
  readonly call: Call
  readonly askedAt: string
  readonly result: Result | null
}) {
  const state = result?.state ?? 'pending'
  const took = result ? (Date.parse(result.at) - Date.parse(askedAt)) / 1_000 : 0
  return (
    <details className="folded tool" data-state={state}>
      <summary>
        <Icon name="tool" />
        <span className="tool-name">{call.name}</span>
        <span className="tool-brief">{brief(call.input)}</span>
        <span className="tool-state">
          {state === 'error' ? words.failedCall : state === 'ok' ? words.doneCall : words.pendingCall}
          {took >= 0.05 && ` · ${words.took(took)}`}
        </span>
      </summary>
      <h4>{words.arguments}</h4>
      <pre>{typeof call.input === 'string' ? call.input : JSON.stringify(call.input, null, 2)}</pre>
      {result && (
        <>
          <h4>{words.result}</h4>
          <pre>{result.text}</pre>
        </>
      )}
    </details>
  )
}

function brief(input: unknown): string {
  if (typeof input !== 'object' || input === null) return String(input ?? '')
  const values = Object.values(input).map((value) => (typeof value === 'object' ? '…' : String(value)))
  return values.join(', ').slice(0, 80)
}
