/** Files that go ahead of their message, with how far they have come: only this way of asking tells it. */
import { ApiError } from '../../src/client/index.js'
import { memory } from '../api.js'
import type { Attachment } from './attachment.js'

/** The same files, those that were too large for a message by their names. `tell` is told from 0 to 1. */
export async function upload(
  conversation: string,
  files: readonly Attachment[],
  tell: (sent: number | null) => void,
): Promise<readonly Attachment[]> {
  const total = files.reduce((sum, { bytes, source }) => sum + (source.kind === 'bytes' ? bytes : 0), 0)
  if (total === 0) return files
  const kept: Attachment[] = []
  let done = 0
  tell(0)
  for (const file of files) {
    if (file.source.kind !== 'bytes') {
      kept.push(file)
      continue
    }
    const id = await put(conversation, file, file.source.file, (bytes) => tell((done + bytes) / total))
    done += file.bytes
    kept.push({ ...file, source: { kind: 'ref', id } })
  }
  tell(null)
  return kept
}

function put(conversation: string, { mediaType }: Attachment, body: Blob, tell: (bytes: number) => void) {
  const ask = new XMLHttpRequest()
  ask.open('POST', `/api/v1/conversations/${encodeURIComponent(conversation)}/blobs`)
  ask.setRequestHeader('content-type', mediaType)
  const key = memory.get('key')
  if (key !== null) ask.setRequestHeader('authorization', `Bearer ${key}`)
  return new Promise<string>((resolve, reject) => {
    ask.upload.onprogress = ({ loaded }) => tell(loaded)
    ask.onerror = () =>
      reject(new ApiError({ status: 0, code: 'unreachable', detail: 'the service cannot be reached' }))
    ask.onload = () => {
      const answer = JSON.parse(ask.responseText || '{}') as Partial<Record<'id' | 'code' | 'detail' | 'title', string>>
      const { id, code = 'internal', detail, title } = answer
      if (ask.status === 201 && id !== undefined) resolve(id)
      else reject(new ApiError({ status: ask.status, code, detail: detail ?? title ?? ask.statusText }))
    }
    ask.send(body)
  })
}
