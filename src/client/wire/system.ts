/** The service itself: its models, policies and figures. */
export interface Model {
  readonly id: string
  readonly label: string
  readonly kind: 'builtin' | 'local' | 'hosted'
  readonly ai: boolean
  readonly window: number
  readonly ready: boolean
  readonly note?: string
}

export interface PolicyListing {
  readonly name: string
  readonly says: string
  readonly hash: string
  readonly policy: Readonly<Record<string, unknown>>
}

export interface System {
  readonly service: 'throughline'
  readonly version: string | null
  readonly storage: string | null
  readonly auth: 'open' | 'keys'
  readonly model: string
  readonly ai: boolean
  /** The policy of conversations that name none. */
  readonly policy: string
  readonly hint?: string
  readonly models: readonly Model[]
  readonly tokenizers: readonly string[]
  readonly limits: Readonly<Record<'body_bytes' | 'blob_bytes' | 'query_bytes' | 'depth' | 'values', number>>
}

export interface UsageFigures {
  readonly runs: number
  readonly done: number
  readonly failures: number
  readonly stopped: number
  readonly messages: number
  readonly tokens_sent: number
  readonly tokens_saved: number
  readonly messages_dropped: number
  /** Messages by what became of them, counted anew in each window. */
  readonly fates: Readonly<Record<string, number>>
  readonly tokens_input: number
  readonly tokens_output: number
  readonly cost: number
  readonly prefix_reuse: number | null
}

export interface UsageReport {
  readonly from: string
  readonly to: string
  readonly totals: UsageFigures
  readonly days: readonly (UsageFigures & { readonly day: string })[]
  readonly conversations: readonly (UsageFigures & {
    readonly conversation_id: string
    readonly title: string | null
  })[]
  readonly rules: readonly { readonly fate: string; readonly rule: string; readonly messages: number }[]
}
