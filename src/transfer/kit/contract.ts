/** What a format is, and what reading one gives. */

import type { Exported } from '../../engine/export.js'
import type { Entry } from '../../store/contract/entry.js'

export const formatNames = [
  'throughline',
  'codex',
  'claude-code',
  'openai-ft',
  'sharegpt',
  'chatgpt',
  'claude-ai',
  'openwebui',
  'gemini-takeout',
  'aistudio',
  'gemini-cli',
  'opencode',
  'librechat',
  'markdown',
] as const

export type FormatName = (typeof formatNames)[number]

/** One format, one file. Formats are asked in the order of `formatNames`; the first that claims a value has the file. */
export interface Format {
  readonly name: FormatName
  /** Whether a value of the file has the shape of this format. Names are never asked. */
  readonly claims: (value: unknown) => boolean
  readonly read: (file: SourceFile) => AsyncIterable<Reading>
}

/** A file, or a member of a zip. */
export interface SourceFile {
  /** As people know it, without the folders above what was asked for. */
  readonly name: string
  /** Something may still be writing to it: its last message can be unfinished. */
  readonly live: boolean
  /** Changes when the file does. */
  readonly stamp: string
  /** From the beginning each time: items of an array, lines, or one text. */
  readonly values: () => AsyncIterable<FileValue>
  /** A file that came along (a picture, an attachment), by its name or the beginning of it. */
  readonly asset: (name: string) => Asset | undefined
}

export interface Asset {
  readonly name: string
  readonly size: number
  readonly bytes: () => Promise<Uint8Array>
}

/** One value of a file, or the place where it is broken. */
export type FileValue =
  | { readonly type: 'json'; readonly value: unknown; readonly place: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'fault'; readonly reason: string; readonly place: string }

/** What reading gives: a conversation, or the reason why there is none. */
export type Reading = Imported | Exact | Skipped

export interface Skipped {
  readonly type: 'skipped'
  /** A few words that are the same for all of their kind: `folder without messages`. */
  readonly reason: string
  /** Where: `item 3`, `line 12`. */
  readonly place: string
}

/** A conversation of someone else's, as a tree. */
export interface Imported {
  readonly type: 'tree'
  readonly format: FormatName
  /** The source's own name of the conversation. */
  readonly id: string
  readonly title?: string | undefined
  readonly createdAt?: string | undefined
  readonly updatedAt?: string | undefined
  readonly folder?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly pinned?: boolean | undefined
  readonly archived?: boolean | undefined
  /** The node that was shown last; null for the last one. */
  readonly head: string | null
  /** Parents before children. */
  readonly nodes: readonly ImportedNode[]
  /** What else the source says of it; kept as it is. */
  readonly rest: Readonly<Record<string, unknown>>
  /** Files that its messages name by their pointer. */
  readonly assets?: ReadonlyMap<string, Asset> | undefined
  readonly warnings: readonly string[]
  /** What was left out of it, and why, by kind. */
  readonly skipped: readonly Skipped[]
}

export interface ImportedNode {
  readonly id: string
  readonly parent: string | null
  readonly says: Says
  readonly at?: string | undefined
  readonly model?: string | undefined
  readonly author?: string | undefined
  readonly aborted?: boolean | undefined
  /** Nobody typed it: the client added it. */
  readonly injected?: boolean | undefined
  /** What else the source says of it; kept as it is. */
  readonly rest?: Readonly<Record<string, unknown>> | undefined
}

export type Says =
  /** In any dialect that `decode` knows; a list is the items that one message is made of. */
  | { readonly kind: 'message'; readonly message: unknown }
  /** Stands for everything before it on its path. */
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'note'; readonly label: string; readonly data: unknown }

/** A conversation of our own, entry by entry. */
export interface Exact {
  readonly type: 'exact'
  readonly exported: Omit<Exported, 'drafts' | 'entries'> & {
    readonly entries: readonly Entry[]
    readonly drafts?: readonly unknown[]
  }
}
