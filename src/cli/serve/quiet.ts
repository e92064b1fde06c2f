/** Whatever a package would print, or the process on its way down, passes the gate of the log: words may be anyone's. */
import type { Log } from '../../http/kit/context.js'
import { faultOf } from '../../http/telemetry/fault.js'

const levels = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const

export function quietProcess(log: Log, crash: () => void): void {
  for (const [name, level] of Object.entries(levels) as [keyof typeof levels, (typeof levels)[keyof typeof levels]][])
    console[name] = (...said: readonly unknown[]) => {
      log({ level, event: 'console', ...faultOf(said.find((one) => one instanceof Error)) })
    }
  process.on('warning', () => {})
  process.on('unhandledRejection', (error) => log({ level: 'error', event: 'promise-broken', ...faultOf(error) }))
  process.on('uncaughtException', (error) => {
    log({ level: 'error', event: 'crashed', ...faultOf(error) })
    crash()
  })
}
