/** Finds a place to listen. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exits, Failure } from '../kit/failure.js'

interface Wish {
  readonly host: string
  readonly port: number
  /** Someone asked for this very port: no other will do. */
  readonly exactly: boolean
}

/** So many ports are tried one after the other, and then any. */
const tries = 20

/** Returns the port. */
export async function listen(server: Server, { host, port, exactly }: Wish): Promise<number> {
  const candidates = exactly || port === 0 ? [port] : [...Array.from({ length: tries }, (_, i) => port + i), 0]
  for (const candidate of candidates) {
    const failure = await attempt(server, host, candidate)
    if (failure === null) return (server.address() as AddressInfo).port
    if (failure.code !== 'EADDRINUSE' || candidate === candidates.at(-1)) throw refusalOf(failure, host, candidate)
  }
  throw new Error('no candidate was left')
}

async function attempt(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  server.listen({ host, port })
  try {
    await once(server, 'listening')
    return null
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}

function refusalOf({ code, message }: NodeJS.ErrnoException, host: string, port: number): Failure {
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is taken\n  another one: throughline serve --port 0 takes any that is free`,
    EACCES: `port ${port} needs more rights than this user has; those from 1024 on do not`,
    EADDRNOTAVAIL: `${host} is no address of this machine`,
    ENOTFOUND: `there is no host ${host}`,
  }
  return new Failure(exits.failed, `throughline: cannot listen: ${why[code ?? ''] ?? message}`)
}
