/** Other people's files, in: each conversation is read whole, then written whole, a few at a time. */

import { HistoryError } from '../core/message/issue.js'
import { aistudio } from './in/aistudio.js'
import { chatgpt } from './in/chatgpt.js'
import { claudeAi } from './in/claude-ai.js'
import { claudeCode } from './in/claude-code.js'
import { codex } from './in/codex.js'
import { geminiCli } from './in/gemini-cli.js'
import { geminiTakeout } from './in/gemini-takeout.js'
import { librechat } from './in/librechat.js'
import { markdown } from './in/markdown.js'
import { openaiFt } from './in/openai-ft.js'
import { opencode } from './in/opencode.js'
import { openWebui } from './in/openwebui.js'
import { sharegpt } from './in/sharegpt.js'
import { throughline } from './in/throughline.js'
import type { Exact, Format, FormatName, Imported, SourceFile } from './kit/contract.js'
import { errorMessage } from './kit/each.js'
import { type Files, filesAt } from './read/files.js'
import { type ImportReport, openTally, type Tally } from './report.js'
import { writeExact } from './write/exact.js'
import { conversationId, type WriteTarget, type Written, writeTree } from './write/write.js'

export interface ImportRequest {
  readonly path: string
  /** Left out, the shape of each file decides. */
  readonly from?: FormatName | undefined
  readonly dryRun?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Whether a file is worth reading; left out, all are. */
  readonly wants?: ((file: SourceFile) => boolean) | undefined
}

export type ImportEvent = ImportedConversation | ImportReport

interface ImportedConversation extends Omit<Written, 'warnings' | 'empty'> {
  readonly type: 'conversation'
  readonly format: FormatName
  readonly source: string
}

/** Written at the same time, so that they share the wait for the disk. */
const together = 16
/** Values that are looked at to know a format: the first ones may be folders. */
const sample = 50

export async function* importFrom(target: WriteTarget, request: ImportRequest): AsyncGenerator<ImportEvent> {
  const files = await filesAt(request.path, Date.parse(target.env.now()))
  const tally = openTally()
  try {
    yield* importFiles(target, request, files, tally)
  } finally {
    files.close()
  }
  yield tally.report(request.dryRun === true)
}

async function* importFiles(target: WriteTarget, request: ImportRequest, { files, broken }: Files, tally: Tally) {
  for (const { name, reason } of broken) tally.skipped(reason, name)
  const flight = openFlight<ImportedConversation>()
  for (const file of files) {
    if (request.wants && !request.wants(file)) continue
    const format = request.from ? findFormat(request.from) : await formatOf(file, tally)
    tally.source(format ? 'read' : 'other')
    if (!format) continue
    for await (const found of format.read(file)) {
      if (request.signal?.aborted) break
      if (found.type === 'skipped') tally.skipped(found.reason, `${file.name}: ${found.place}`)
      else {
        const id = found.type === 'tree' ? conversationId(found) : found.exported.conversation.id
        for await (const done of flight.room(id)) yield done
        flight.start(id, () => write(target, found, file, format.name, request.dryRun === true, tally))
      }
    }
  }
  yield* flight.end()
}

/** One conversation that fails ends no other. */
async function write(
  target: WriteTarget,
  found: Imported | Exact,
  file: SourceFile,
  format: FormatName,
  dryRun: boolean,
  tally: Tally,
): Promise<ImportedConversation | null> {
  if (found.type === 'tree') for (const one of found.skipped) tally.skipped(one.reason, `${file.name}: ${one.place}`)
  try {
    const written =
      found.type === 'tree' ? await writeTree(target, found, dryRun) : await writeExact(target, found, dryRun)
    if (written.messages === 0 && written.status !== 'unchanged') {
      tally.skipped('a conversation without messages', `${file.name}: ${written.id}`)
      return null
    }
    tally.written(format, written)
    const { warnings: _, empty: __, ...told } = written
    return { type: 'conversation', format, source: file.name, ...told }
  } catch (error) {
    // a full disk or a lost connection is no fault of the file
    if (HistoryError.is(error) && (error.code === 'storage_full' || error.code === 'unavailable')) throw error
    const isGone = HistoryError.is(error) && error.code === 'gone'
    const id = found.type === 'tree' ? found.id : found.exported.conversation.id
    tally.failed(isGone ? 'it was deleted here, and deleting is final' : errorMessage(error), `${file.name}: ${id}`)
    return null
  }
}

/** The format whose shape the first values have. */
async function formatOf(file: SourceFile, tally: Tally): Promise<Format | undefined> {
  const faults: string[] = []
  let count = 0
  try {
    for await (const one of file.values()) {
      if (++count > sample) break
      if (one.type === 'fault') {
        faults.push(one.reason)
        continue
      }
      const value = one.type === 'json' ? one.value : one.text
      const found = formats.find((format) => format.claims(value))
      if (found) return found
    }
  } catch (error) {
    tally.skipped(`cannot be read: ${errorMessage(error)}`, file.name)
    return undefined
  }
  tally.skipped(count === 0 ? 'an empty file' : (faults[0] ?? 'a file of no known format'), file.name)
  return undefined
}

/** Work that goes on at the same time, one of each name. */
function openFlight<T>() {
  const open = new Map<string, Promise<void>>()
  const done: T[] = []
  let failure: { readonly error: unknown } | null = null
  const settle = function* (): Generator<T> {
    if (failure) throw failure.error
    yield* done.splice(0)
  }
  return {
    /** Waits until there is room for one of this name. */
    async *room(name: string): AsyncGenerator<T> {
      while (open.has(name)) await open.get(name)
      while (open.size >= together) await Promise.race(open.values())
      yield* settle()
    },
    start(name: string, work: () => Promise<T | null>): void {
      const going = work()
        .then((value) => {
          if (value !== null) done.push(value)
        })
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => open.delete(name))
      open.set(name, going)
    },
    async *end(): AsyncGenerator<T> {
      while (open.size > 0) await Promise.race(open.values())
      yield* settle()
    },
  }
}

// every format that can be read, one file each

/** In the order in which they are asked: the first that claims a value has the file. */
const formats: readonly Format[] = [
  ...[throughline, codex, claudeCode, chatgpt, claudeAi, openWebui, geminiTakeout, aistudio, geminiCli],
  ...[opencode, librechat, openaiFt, sharegpt, markdown],
]

const findFormat = (name: FormatName): Format | undefined => formats.find((format) => format.name === name)
