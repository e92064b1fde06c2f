/** Every form in which a conversation can be taken away. */
import { inAnthropic, inOpenai, inSharegpt } from './arrays.js'
import { inChatgpt } from './chatgpt.js'
import { inHtml } from './html.js'
import { inJson } from './json.js'
import { inMarkdown } from './markdown.js'
import type { Exporting } from './source.js'

export const exportNames = ['json', 'markdown', 'html', 'chatgpt', 'openai', 'anthropic', 'sharegpt'] as const

export type ExportName = (typeof exportNames)[number]

interface ExportForm {
  readonly write: (source: Exporting) => AsyncGenerator<string>
  readonly ending: string
  readonly mediaType: string
}

const json = { ending: 'json', mediaType: 'application/json' }

export const exportForms: Readonly<Record<ExportName, ExportForm>> = {
  json: { write: inJson, ...json },
  markdown: { write: inMarkdown, ending: 'md', mediaType: 'text/markdown; charset=utf-8' },
  html: { write: inHtml, ending: 'html', mediaType: 'text/html; charset=utf-8' },
  chatgpt: { write: inChatgpt, ...json },
  openai: { write: inOpenai, ...json },
  anthropic: { write: inAnthropic, ...json },
  sharegpt: { write: inSharegpt, ...json },
}
