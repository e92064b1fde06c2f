/** Traces. Without a place to send them to, a span costs nothing. */
import type { Facts } from './allow.js'
import type { Trace } from './trace.js'

export interface Spans {
  /** The outermost span. It continues the caller's trace, and what is begun inside belongs to it. */
  request<T>(trace: Trace, work: () => Promise<T>): Promise<T>
  /** What has come to be known of the request that is at hand. */
  describe(facts: Facts): void
  /** Returns what ends it. */
  begin(name: 'window' | 'model' | 'commit', facts: Facts, alreadyMs?: number): (more?: Facts) => void
  close(): Promise<void>
}

const nothing = (): void => {}

export const noSpans: Spans = {
  request: (_trace, work) => work(),
  describe: nothing,
  begin: () => nothing,
  close: async () => {},
}
