/** What `register` is given, parsed once. Models pass lists and objects as JSON or as a string of JSON: both will do. */
import { HistoryError } from '../../core/message/issue.js'
import { nearest } from '../../core/message/nearest.js'
import { type Bounds, bounded } from './bounded.js'
import type { HandoffPreset, Priority } from './contract.js'
import { openForm } from './form.js'
import { invalid } from './refuse.js'

export type Lines = readonly string[] | string | null

/** Work to hand over: what is to be done, and the conversation that led to it. */
export interface TaskInput {
  readonly description: string
  /** `P2` when left out. */
  readonly priority?: Priority
  /** Where the agents work. Only looked at when one is deployed. */
  readonly client_cwd?: string | null
  readonly background_context?: string | null
  readonly expected_deliverables?: Lines
  readonly success_criteria?: Lines
  readonly constraints?: Lines
  /** Told to the agents; never opened. */
  readonly relevant_files?: Lines
  readonly related_documentation?: Lines
  /** A list of messages, or `{ conversation, branch? }`. */
  readonly conversation_history?: unknown
  /** The setting `handoff` when left out; `handoff-user-first` is specification 0, `handoff-assistant-first` 2, `handoff-balanced` ours. */
  readonly preset?: HandoffPreset
  /** What becomes of the messages that do not fit: nothing, sentences quoted from them, or a model's summary. */
  readonly compress?: 'none' | 'extractive' | 'model'
  /** The model that summarises. */
  readonly model?: string
  /** Only one branch, or only the turns that score at least so much (0 to 1) against the description. */
  readonly thread?:
    | { readonly branch: string }
    | { readonly relevance: number }
    | { readonly max_relevance_score: number }
    | string
    | null
  /** Tokens of the prompt that all agents get. */
  readonly tokens?: number
}

export type Thread = { readonly branch: string } | { readonly relevance: number }

export interface TaskRequest {
  readonly description: string
  readonly priority: Priority
  readonly client_cwd: string | null
  readonly context: {
    readonly background_context?: string
    readonly expected_deliverables?: readonly string[]
    readonly success_criteria?: readonly string[]
    readonly constraints?: readonly string[]
    readonly relevant_files?: readonly string[]
    readonly related_documentation?: readonly string[]
  }
  /** Undefined when there is none; anything else is judged by the preset. */
  readonly history: unknown
  readonly preset: HandoffPreset
  readonly compress: 'none' | 'extractive' | 'model'
  readonly model: string | null
  readonly thread: Thread | null
  readonly tokens: number | null
}

const priorities: readonly Priority[] = ['P0', 'P1', 'P2', 'P3', 'P4']
const handoffs: readonly HandoffPreset[] = ['handoff-balanced', 'handoff-user-first', 'handoff-assistant-first']
const compressions = ['none', 'extractive', 'model'] as const
const lists = [
  'expected_deliverables',
  'success_criteria',
  'constraints',
  'relevant_files',
  'related_documentation',
] as const
const known = [
  ...['description', 'priority', 'client_cwd', 'background_context', 'conversation_history', 'preset', 'compress'],
  ...['model', 'thread', 'tokens'],
  ...lists,
]
const most = { description: 32_000, path: 4_096, name: 200 } as const

/** Throws with every field that is wrong. */
export function readTask(input: unknown, bounds: Bounds, handoff: HandoffPreset = 'handoff-user-first'): TaskRequest {
  const given = copyOf(input, bounds)
  const form = openForm(given, bounds)
  for (const key of Object.keys(given)) if (!known.includes(key)) form.refuse(key, unknownField(key))
  const background = form.text('background_context', bounds.inputBytes)
  const context = {
    ...(background === null ? null : { background_context: background }),
    ...Object.assign({}, ...lists.map((key) => form.lines(key))),
  }
  const request: TaskRequest = {
    description: form.text('description', most.description) ?? form.refuse('description', 'is needed') ?? '',
    priority: form.choice('priority', priorities) ?? 'P2',
    client_cwd: form.text('client_cwd', most.path),
    context,
    history: form.json('conversation_history') ?? undefined,
    preset: form.choice('preset', handoffs) ?? handoff,
    compress: form.choice('compress', compressions) ?? 'none',
    model: form.text('model', most.name),
    thread: form.thread(),
    tokens: form.tokens(),
  }
  form.close()
  return request
}

function copyOf(input: unknown, bounds: Bounds): Readonly<Record<string, unknown>> {
  try {
    const copy = bounded(input, 'task', bounds)
    if (typeof copy === 'object' && copy !== null && !Array.isArray(copy)) return { ...copy }
  } catch (error) {
    if (HistoryError.is(error)) throw error
    throw invalid([{ code: 'task.input', field: 'task', message: 'the task cannot be read' }])
  }
  throw invalid([{ code: 'task.input', field: 'task', message: 'a task is an object', type: 'type_error' }])
}

const unknownField = (key: string): string => {
  const meant = nearest(key, known)
  return `is no field of a task${meant === undefined ? '' : `; did you mean ${meant}?`}`
}
