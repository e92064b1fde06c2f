/** Wakes watchers: a connection of its own listens for those commits that have something to tell. */
import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { Client, PoolConfig } from 'pg'
import { newBell } from '../shared/turn.js'

export interface Listen {
  /** What commits are told on. */
  readonly channel: string
  watch(name: string, wake: () => void): () => void
  ring(name: string): void
  close(): Promise<void>
}

const firstPauseMs = 100
const longestPauseMs = 5_000

export function listenTo(server: PoolConfig, schema: string): Listen {
  const channel = `throughline_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`
  const bell = newBell()
  let client: Client | undefined
  let going: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let pauseMs = firstPauseMs
  let isOpen = true

  const connect = async (): Promise<void> => {
    const pg = await import('pg')
    const made = new pg.default.Client({
      application_name: 'throughline',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 10_000,
      ...server,
    })
    client = made
    // without this listener the loss of the connection would end the process
    made.on('error', () => {})
    made.on('end', () => again(made))
    made.on('notification', ({ payload }) => bell.ring(payload ?? ''))
    try {
      await made.connect()
      await made.query(`listen ${channel}`)
    } catch {
      await made.end().catch(() => {})
      return again(made)
    }
    // a listener alone is no reason for a process to live
    ;(made as unknown as { connection: { stream: Duplex & { unref(): void } } }).connection.stream.unref()
    pauseMs = firstPauseMs
    // whatever was told before now went unheard
    bell.ringAll()
  }

  const again = (lost: Client): void => {
    if (!isOpen || client !== lost) return
    client = undefined
    timer = setTimeout(() => {
      going = connect()
    }, pauseMs)
    timer.unref()
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }

  return {
    channel,
    watch(name, wake) {
      if (isOpen) going ??= connect()
      return bell.watch(name, wake)
    },
    ring: bell.ring,
    async close() {
      isOpen = false
      clearTimeout(timer)
      bell.close()
      await going
      await client?.end().catch(() => {})
    },
  }
}
