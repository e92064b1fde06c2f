/** The machine: Node, the disk, the clock, the port. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import type { Loaded } from '../../config/load.js'
import { number } from '../kit/term.js'
import { bad, type Finding, ok, warn } from './finding.js'

export function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const fine = major > 20 || (major === 20 && minor >= 19)
  if (fine) return ok('node', `Node ${process.versions.node}`)
  return bad('node', `Node ${process.versions.node} is too old`, 'install Node 20.19 or newer')
}

const mb = 1024 * 1024

export async function checkDisk(file: string): Promise<Finding> {
  let folder = dirname(file)
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  const free = Math.floor((bavail * bsize) / mb)
  const says = `${number(free)} MB free for the data`
  if (free < 100) return bad('disk', says, 'make room: writes are refused when the disk is full')
  return free < 1_024 ? warn('disk', says, 'make room before it is needed') : ok('disk', says)
}

/** `elsewhere` is the database's own time, where it has one. */
export async function checkClock(elsewhere: Date | null, file: string | null): Promise<Finding> {
  const now = Date.now()
  const touched =
    file === null
      ? null
      : await stat(file).then(
          ({ mtimeMs }) => mtimeMs,
          () => null,
        )
  const skew = elsewhere ? Math.abs(now - elsewhere.getTime()) : touched !== null && touched > now ? touched - now : 0
  const time = new Date(now).toISOString().slice(0, 19)
  if (skew < 2_000) return ok('clock', `${time} UTC${elsewhere ? ', as the database has it' : ''}`)
  const says = `is ${number(Math.round(skew / 1_000))} s off ${elsewhere ? 'the database' : 'what the data was last written at'}`
  return warn('clock', says, 'let the machine keep its time from the network')
}

export async function checkPort({ config, origins }: Loaded): Promise<Finding> {
  const { host, port } = config
  const server = createServer()
  server.listen({ host, port })
  try {
    await once(server, 'listening')
    return ok('port', `${host}:${port} is free`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE')
      return bad('port', `cannot listen on ${host}:${port} (${code})`, 'choose another --host or --port')
    if (origins.port === 'default') return ok('port', `${port} is taken; serve will take the next that is free`)
    return warn('port', `${host}:${port} is taken`, 'another server, or this one already at work; else another --port')
  } finally {
    server.close()
  }
}
