/** Files that other products write, made by hand; and a store to import them into. */

import { mkdirSync } from 'node:fs'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { envOf } from '../engine/writing.js'
import type { Conversation } from '../store/contract/conversation.js'
import type { Entry } from '../store/contract/entry.js'
import type { Store } from '../store/contract/store.js'
import { memoryStore } from '../store/memory/store.js'
import { type ImportEvent, type ImportRequest, importFrom } from './import.js'
import type { FormatName } from './kit/contract.js'
import type { ImportReport } from './report.js'

export interface Desk {
  readonly store: Store
  readonly folder: string
  /** Writes a file; old enough that nobody is writing to it. */
  readonly file: (name: string, content: string | Uint8Array | object) => Promise<string>
  readonly take: (path: string, request?: Partial<ImportRequest>) => Promise<ImportReport>
  readonly events: (path: string, request?: Partial<ImportRequest>) => Promise<ImportEvent[]>
  /** Everything that the workspace holds. */
  readonly all: () => Promise<unknown>
  readonly entries: (conversation: string) => Promise<readonly Entry[]>
  readonly conversations: () => Promise<readonly Conversation[]>
}

export async function transferDesk(store: Store = memoryStore()): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-transfer-'))
  onTestFinished(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })
  const workspace = 'default'
  const events: Desk['events'] = async (path, request = {}) => {
    const out: ImportEvent[] = []
    for await (const event of importFrom({ store, workspace, env: envOf() }, { path, ...request })) out.push(event)
    return out
  }
  const conversations = async () => (await store.list(workspace, { limit: 200 })).items
  const entries = (id: string) => store.feed(workspace, id, 0, 1_000)
  return {
    ...{ store, folder, events, conversations, entries },
    async file(name, content) {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      const isBytes = typeof content === 'string' || content instanceof Uint8Array
      await writeFile(path, isBytes ? content : JSON.stringify(content))
      await utimes(path, 1_700_000_000, 1_700_000_000)
      return path
    },
    take: async (path, request) => (await events(path, request)).at(-1) as ImportReport,
    all: async () => {
      const found = await conversations()
      return Promise.all(
        found.map(async (one) => [one, await store.branches(workspace, one.id), await entries(one.id)] as const),
      )
    },
  }
}

export const lines = (...records: readonly unknown[]): string =>
  `${records.map((one) => JSON.stringify(one)).join('\n')}\n`

/** A zip as other tools write it. */
export function zipOf(members: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(members)) {
    const bytes = Buffer.from(content as string)
    const packed = deflateRawSync(bytes)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(0x800, 2)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(Buffer.byteLength(name), 22)
    const head = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, Buffer.from(name)])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), facts, tail, Buffer.from(name)]))
    local.push(head, packed)
    offset += head.length + packed.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(central.length, 4)
  end.writeUInt16LE(central.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06', 'latin1'), end])
}

interface Said {
  readonly id: string
  readonly parent: string
  readonly role?: string
  readonly text?: string
  readonly message?: object
}

/** A conversation of ChatGPT's; a node without words is given its whole message. */
export function chatgptConversation(id: string, said: readonly Said[], more: object = {}): object {
  const mapping: Record<string, object> = { root: { id: 'root', message: null, parent: null, children: [] } }
  for (const [i, { id: node, parent, role = 'user', text, message }] of said.entries())
    mapping[node] = {
      id: node,
      parent,
      children: [],
      message: {
        id: node,
        author: { role },
        create_time: 1_767_225_600 + i,
        content: { content_type: 'text', parts: [text ?? ''] },
        recipient: 'all',
        ...message,
      },
    }
  return { id, title: `Title of ${id}`, create_time: 1_767_225_600, current_node: said.at(-1)?.id, mapping, ...more }
}

/** A record of Claude Code's. */
export const codeRecord = (uuid: string, parentUuid: string | null, type: string, more: object): object => ({
  ...{ uuid, parentUuid, type, sessionId: 's', cwd: '/home/ada/app', version: '2.1.0', isSidechain: false },
  timestamp: '2026-01-03T10:00:00.000Z',
  ...more,
})

/** A file of some format, and what becomes of it. */
export interface FormatCase {
  readonly what: string
  readonly file: string | object
  readonly format: FormatName
  /** What each message says, oldest first: role and words, in the order of the log. */
  readonly says: readonly string[]
  readonly branches?: number
  readonly skipped?: readonly string[]
  /** The last message on main. */
  readonly head?: string
  readonly title?: string
}
