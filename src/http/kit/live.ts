/** What the routes of the live room share, beyond what every route has. */

import type { Policy } from '../../core/policy/schema.js'
import type { Env } from '../../engine/window/entries.js'
import type { Store } from '../../store/contract/store.js'
import type { UnsignedAssistant } from './asserted.js'
import type { Auth } from './auth.js'
import { Problem } from './problem.js'
import { openSigner, type Signer } from './sign.js'
import type { Timer } from './sse.js'

export interface LiveOptions {
  /** Assistant turns of a client's history that cannot be proved ours; `allow`, as specification 1 has it, when left out. */
  readonly unsigned?: UnsignedAssistant
  /** The policy of `POST /chat`: `session-window`, or that with the settings of specification 4. */
  readonly session?: string | Policy
  /** Event streams that a workspace may have open here; 256 when left out. */
  readonly streams?: number
  /** A stream is closed after so long, and resumed by its reader; an hour when left out. */
  readonly streamAgeMs?: number
  /** Where others reach the service, without a slash at the end; links begin with it. */
  readonly publicUrl?: string
  readonly version?: string
  /** The kind of store, for those who look after it: `sqlite`, `postgres`, `memory`. */
  readonly storage?: string
  readonly timer?: Timer
}

export interface Live {
  readonly signer: Signer
  readonly gate: Gate
  readonly unsigned: UnsignedAssistant
  readonly session: string | Policy
  readonly streamAgeMs: number
  readonly version: string | null
  readonly storage: string | null
  readonly auth: 'open' | 'keys'
  readonly timer: Timer | undefined
}

export function openLive(store: Store, env: Env, auth: Auth, options: LiveOptions = {}): Live {
  const { streams = 256, streamAgeMs = 3_600_000, unsigned = 'allow', session = 'session-window' } = options
  return {
    signer: openSigner(store, env.now),
    gate: openGate(streams),
    unsigned,
    session,
    streamAgeMs,
    version: options.version ?? null,
    storage: options.storage ?? null,
    // a host that knows its users has asked them already
    auth: auth.mode === 'keys' ? 'keys' : 'open',
    timer: options.timer,
  }
}

// how many streams one workspace may hold open at this server

interface Gate {
  /** Counts until the signal fires; refuses when there are too many. */
  enter(workspace: string, until: AbortSignal): void
}

function openGate(most: number): Gate {
  const open = new Map<string, number>()
  return {
    enter(workspace, until) {
      const count = open.get(workspace) ?? 0
      if (count >= most)
        throw new Problem('rate_limited', {
          detail: `at most ${most} streams at once`,
          headers: { 'retry-after': '5' },
        })
      open.set(workspace, count + 1)
      until.addEventListener('abort', () => leave(open, workspace), { once: true })
    },
  }
}

function leave(open: Map<string, number>, workspace: string): void {
  const left = (open.get(workspace) ?? 1) - 1
  if (left > 0) open.set(workspace, left)
  else open.delete(workspace)
}
