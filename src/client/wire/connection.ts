/** Models that the operator connects while the service runs. */
export interface Connection {
  readonly id: string
  readonly label: string
  readonly url: string | null
  /** The last four characters of its key; null without one. */
  readonly ending: string | null
  readonly from: 'app' | 'settings'
  readonly models: number
  readonly refused_at: string | null
}

export interface ConnectionList {
  /** False where a program gave the service its models. */
  readonly available: boolean
  readonly items: readonly Connection[]
  /** Servers of models that run on the machine of the service. */
  readonly local: readonly { readonly id: string; readonly label: string; readonly models: readonly string[] }[]
  readonly providers: readonly { readonly id: string; readonly label: string }[]
  readonly usual: string
}

export interface NewConnection {
  /** A key, or the address of a server. */
  readonly pasted: string
  readonly provider?: string
  /** The key of a server whose address is pasted. */
  readonly key?: string
}

export interface OfferedModel {
  readonly id: string
  readonly label: string
  readonly window: number | null
  /** US dollars per million tokens. */
  readonly price: { readonly input: number; readonly output: number } | null
  readonly tools: boolean | null
  readonly images: boolean | null
}

export interface TestedConnection {
  readonly id: string
  readonly label: string
  readonly milliseconds: number
  readonly models: readonly OfferedModel[]
  readonly best: string | null
}
