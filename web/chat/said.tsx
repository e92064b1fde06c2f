/** What a message says, part by part. */
import type { Message } from '../../src/client/index.js'
import { api } from '../api.js'
import { Icon } from '../icons.js'
import { Code } from '../markdown/code.js'
import { Markdown } from '../markdown/markdown.js'
import { saveAs } from '../save.js'
import { words } from '../strings/chat.js'
import { isPicture } from './attachment.js'
import { useScreen } from './context.js'
import type { Result } from './rows.js'
import { ToolCall } from './tool-call.js'

interface Props {
  readonly message: Message
  readonly results: ReadonlyMap<string, Result>
}

export function Said({ message, results }: Props) {
  if (message.kind === 'note') return null
  if (message.redacted) return <p className="dim">{words.redacted}</p>
  const isPlain = message.kind === 'message' && message.role === 'user'
  return message.parts.map((part, at) => {
    const key = `${part.type}${at}`
    switch (part.type) {
      case 'text':
        return isPlain ? (
          <p className="plain" key={key}>
            {part.text}
          </p>
        ) : (
          <Markdown key={key} text={part.text} />
        )
      case 'think':
        return (
          <details className="folded" key={key}>
            <summary>{words.thinking}</summary>
            <pre>{part.text}</pre>
          </details>
        )
      case 'file':
        return <Attached key={key} name={part.name ?? null} mediaType={part.mediaType} source={part.source} />
      default:
        return <ToolCall key={key} call={part} askedAt={message.at} result={results.get(part.id) ?? null} />
    }
  })
}

type Source =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly base64: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'ref'; readonly id: string }
  | { readonly kind: 'bytes' }

interface File {
  readonly name: string | null
  readonly mediaType: string
  readonly source: Source
}

/** A picture only from its own bytes; whatever else is elsewhere is named and not fetched. */
export function Attached({ name, mediaType, source }: File) {
  const label = name ?? mediaType
  if (source.kind === 'data' && isPicture(mediaType))
    return (
      <img className="attached-picture" src={`data:${mediaType};base64,${source.base64}`} alt={words.picture(label)} />
    )
  if (source.kind === 'text')
    return (
      <details className="folded">
        <summary>
          <Icon name="file" /> {label}
        </summary>
        <Code language={languageOf(label)} text={source.text} />
      </details>
    )
  return (
    <p className="file">
      <Icon name="file" /> {words.file(label)}
      {source.kind === 'ref' && <Fetch id={source.id} name={label} />}
    </p>
  )
}

/** The service gives a file to whoever has the key, so it is asked for and not linked to. */
function Fetch({ id, name }: { readonly id: string; readonly name: string }) {
  const { chat } = useScreen()
  const fetched = async (): Promise<void> => saveAs(await api.blobs.get(chat.id, id), name)
  return (
    <button
      type="button"
      className="quiet"
      onClick={() => void fetched().catch((error: unknown) => chat.state.set({ error }))}
    >
      {words.download}
    </button>
  )
}

const languageOf = (name: string): string => (/\.([\w+#]{1,10})$/.exec(name)?.[1] ?? '').toLowerCase()
