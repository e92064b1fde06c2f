/** What the tests use of the graph. */
interface State {
  readonly values: Record<string, unknown>
  readonly next: readonly string[]
  readonly config: object
}

interface Graph {
  invoke(input: unknown, config: object): Promise<Record<string, unknown>>
  getState(config: object): Promise<State>
  getStateHistory(config: object, options?: object): AsyncIterable<State>
  updateState(config: object, values: unknown, asNode: string): Promise<object>
}

export function build(checkpointer: unknown, store?: unknown): Graph
