/** One branch as Markdown. */
import type { Entry } from '../../store/contract/entry.js'
import { type Exporting, pathIn } from './source.js'

export async function* inMarkdown(source: Exporting): AsyncGenerator<string> {
  yield `# ${source.conversation.title.replaceAll(/\s+/g, ' ').trim() || 'Conversation'}\n`
  for (const entry of await pathIn(source)) {
    const name = speaker(entry)
    if (name !== null && (entry.text !== '' || entry.redacted))
      yield `\n## ${name}\n\n${entry.redacted ? '*removed*' : entry.text}\n`
  }
}

export function speaker({ body, meta }: Entry): string | null {
  if (body.kind === 'note') return null
  const assistant = meta?.ai === false ? 'Assistant (no AI)' : 'Assistant'
  if (body.kind === 'message') return { user: 'User', assistant, system: 'System' }[body.role]
  return body.kind === 'result' ? 'Tool' : 'Summary'
}
