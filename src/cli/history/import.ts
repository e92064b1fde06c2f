/** `throughline import`: conversations from elsewhere, with a report that says what was left out. */
import { importConversations } from '../../operations/transfer.js'
import type { ImportReport, ReportKind } from '../../transfer/report.js'
import { spool } from '../../transfer/spool.js'
import type { DeskOptions } from '../kit/desk.js'
import { misused } from '../kit/failure.js'
import { operate } from '../kit/operate.js'
import { progressOf } from '../kit/progress.js'
import { put, putJson, say } from '../kit/sink.js'
import { number, printable } from '../kit/term.js'

type Flags = DeskOptions<'path' | 'from', 'dry-run' | 'watch'>

export async function importInto(flags: Flags): Promise<number> {
  if (flags.path === undefined) throw misused('import needs a PATH', 'throughline import chatgpt-export.zip')
  if (flags.path !== '-') return importPath(flags, flags.path)
  const { path, remove } = await spool(process.stdin, 'stdin')
  return importPath(flags, path).finally(remove)
}

const importPath = (flags: Flags, path: string): Promise<number> =>
  operate(flags, importConversations, {
    input: () => ({
      path,
      dry_run: flags['dry-run'] === true,
      watch: flags.watch === true,
      ...(flags.from !== undefined && { from: flags.from }),
    }),
    print: async (events) => {
      let progress = progressOf('read', 'messages')
      let isFirst = true
      for await (const event of events) {
        if (event.type === 'conversation') {
          progress.step(event.messages)
          continue
        }
        progress.end()
        progress = progressOf('read', 'messages')
        // a round in which nothing happened is not worth a line
        if (!isFirst && event.messages.added === 0) continue
        if (flags.json) await putJson({ schema: 'throughline.import/1', ...event })
        else await put(importText(event))
        if (flags.watch && isFirst) say(`watching ${path}; Ctrl-C ends it`)
        isFirst = false
      }
    },
  })

export function importText(report: ImportReport): string {
  const { conversations, messages, branches, files, sources, formats, dry_run } = report
  const counts = [
    `${number(conversations.added)} new`,
    `${number(conversations.extended)} grown`,
    `${number(conversations.unchanged)} unchanged`,
    ...(conversations.failed > 0 ? [`${number(conversations.failed)} failed`] : []),
  ]
  const names = Object.entries(formats).map(([name, count]) => `${name} ${number(count)}`)
  const lines = [
    `${number(conversations.found)} conversations: ${counts.join(', ')}${dry_run ? ' (nothing was written)' : ''}`,
    `${number(messages.found)} messages, ${number(messages.added)} ${dry_run ? 'to add' : 'added'}; ${number(branches)} branches, ${number(files)} files`,
    ...(names.length > 0 ? [`from ${names.join(', ')} in ${number(sources.read)} files`] : []),
    ...listed('left out', report.skipped),
    ...listed('not as it was', report.warnings),
  ]
  return `${lines.map(printable).join('\n')}\n`
}

function listed(what: string, kinds: readonly ReportKind[]): string[] {
  if (kinds.length === 0) return []
  const most = [...kinds].sort((one, other) => other.count - one.count)
  const rows = most.slice(0, 20).map(({ reason, count, examples }) => `  ${number(count)} × ${reason} (${examples[0]})`)
  const more = most.length > 20 ? [`  and ${most.length - 20} more kinds: --json has all of them`] : []
  return [`${what}:`, ...rows, ...more]
}
