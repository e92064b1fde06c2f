/** Whose process is at the other end of a connection over loopback, where the system says so: Linux does. */
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** True when another user of this machine is at the other end, or someone whom the system cannot name. */
export type IsStranger = (socket: Socket) => Promise<boolean>

/** Asked once for each connection. Root may read everything anyway. */
export function strangers(own: number | undefined = process.getuid?.()): IsStranger {
  if (process.platform !== 'linux' || own === undefined) return async () => false
  const known = new WeakMap<Socket, Promise<boolean>>()
  return (socket) => {
    const found = known.get(socket) ?? peerUid(socket).then((uid) => uid !== own && uid !== 0)
    known.set(socket, found)
    return found
  }
}

/** The user who opened the other end; null when it cannot be found, or has been closed already. */
export async function peerUid({ remotePort, localPort, remoteFamily }: Socket): Promise<number | null> {
  if (remotePort === undefined || localPort === undefined) return null
  // an IPv6 server has clients of both families
  const tables = remoteFamily === 'IPv4' ? ['tcp', 'tcp6'] : ['tcp6', 'tcp']
  for (const table of tables) {
    const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '')
    const uid = uidIn(text, remotePort, localPort)
    if (uid !== null) return uid
  }
  return null
}

/** The line of the other end is ours turned round. A socket without an inode belongs to nobody any more, and says uid 0. */
export function uidIn(table: string, local: number, remote: number): number | null {
  const ends = `:${hex(local)} [0-9A-F]+:${hex(remote)}`
  const [, uid, inode] =
    new RegExp(`^ *\\d+: [0-9A-F]+${ends} \\S+ \\S+ \\S+ \\S+ +(\\d+) +\\d+ (\\d+)`, 'm').exec(table) ?? []
  return uid === undefined || inode === '0' ? null : Number(uid)
}

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0')
