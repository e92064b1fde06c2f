import { Icon } from '../icons.js'
import { words } from '../strings/chat.js'
import { type Attachment, isPicture, kilobytes } from './attachment.js'

interface Props {
  readonly files: readonly Attachment[]
  readonly problem: string | null
  remove(key: number): void
}

export function AttachmentList({ files, problem, remove }: Props) {
  const unread = files.filter(({ source, mediaType }) => source.kind === 'bytes' && !isPicture(mediaType))
  return (
    <>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {files.length > 0 && (
        <ul className="attachments" aria-label={words.attached}>
          {files.map(({ key, name, mediaType, bytes, source }) => (
            <li key={key}>
              {source.kind === 'data' && isPicture(mediaType) ? (
                <img src={`data:${mediaType};base64,${source.base64}`} alt="" />
              ) : (
                <Icon name="file" />
              )}
              <span className="attachment-name">{name}</span>
              <small>{kilobytes(bytes)}</small>
              <button
                type="button"
                className="square"
                aria-label={words.unattach(name)}
                title={words.unattach(name)}
                onClick={() => remove(key)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {unread.length > 0 && <p className="dim small">{words.notRead(unread.map(({ name }) => name).join(', '))}</p>}
    </>
  )
}
