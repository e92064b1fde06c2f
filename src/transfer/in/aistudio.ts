/** AI Studio's prompts, as Drive keeps them: chunks of one conversation. */
import { basename } from 'node:path'
import { digest } from '../../store/shared/runtime.js'
import type { Format, Imported, ImportedNode, Reading } from '../kit/contract.js'
import { eachValue } from '../kit/each.js'
import { isRaw, type Raw, raw, raws, str, timeOf, without } from '../kit/shape.js'

export const aistudio: Format = {
  name: 'aistudio',
  claims: (value) => isRaw(value) && Array.isArray(raw(value.chunkedPrompt).chunks),
  read: (file): AsyncGenerator<Reading> =>
    eachValue(file, (value, place) =>
      isRaw(value) && isRaw(value.chunkedPrompt)
        ? prompt(value, raws(value.chunkedPrompt.chunks), file.name)
        : { type: 'skipped', reason: 'an item without chunks', place },
    ),
}

function prompt(given: Raw, chunks: readonly Raw[], file: string): Imported {
  const title = basename(file).replace(/\.json$/i, '')
  const nodes: ImportedNode[] = []
  const add = (node: Omit<ImportedNode, 'parent'>): void => {
    nodes.push({ ...node, parent: nodes.at(-1)?.id ?? null })
  }
  const system = str(raw(given.systemInstruction).text) ?? texts(raw(given.systemInstruction).parts)
  if (system) add({ id: 'system', says: { kind: 'message', message: { role: 'system', content: system } } })
  const model = str(raw(given.runSettings).model)?.replace(/^models\//, '')
  // a thought and what follows it, or a file and the question about it, are one message
  for (const { at, role, items } of groups(chunks)) {
    const parts = items.flatMap(partsOf)
    if (parts.length === 0) continue
    add({
      id: `chunk ${at}`,
      says: { kind: 'message', message: { role: role === 'model' ? 'assistant' : 'user', parts } },
      at: timeOf(items[0]?.createTime),
      model: role === 'model' ? model : undefined,
      rest: { chunks: items.map((item) => without(item, 'text', 'role', 'parts', 'inlineFile', 'inlineImage')) },
    })
  }
  return {
    type: 'tree',
    format: 'aistudio',
    id: `${title.slice(0, 60)}-${digest(JSON.stringify([title, chunks[0] ?? null])).slice(0, 12)}`,
    title,
    createdAt: timeOf(chunks[0]?.createTime),
    updatedAt: timeOf(chunks.findLast((chunk) => chunk.createTime)?.createTime),
    head: null,
    nodes,
    rest: { ...without(given, 'chunkedPrompt'), chunkedPrompt: without(raw(given.chunkedPrompt), 'chunks') },
    warnings: [],
    skipped: [],
  }
}

function groups(chunks: readonly Raw[]) {
  const out: { readonly at: number; readonly role: unknown; readonly items: Raw[] }[] = []
  for (const [at, chunk] of chunks.entries()) {
    const last = out.at(-1)
    if (last && last.role === chunk.role) last.items.push(chunk)
    else out.push({ at, role: chunk.role, items: [chunk] })
  }
  return out
}

const texts = (parts: unknown): string | undefined =>
  str(
    raws(parts)
      .flatMap(({ text }) => str(text) ?? [])
      .join(''),
  )

function partsOf(chunk: Raw): object[] {
  const text = str(chunk.text) ?? texts(chunk.parts)
  const out: object[] = []
  if (text && chunk.isThought === true) out.push({ type: 'think', text, ...signed(chunk) })
  else if (text) out.push({ type: 'text', text })
  for (const [field, mediaType] of Object.entries(media)) {
    const id = str(raw(chunk[field]).id)
    if (id) out.push({ type: 'file', mediaType, source: { kind: 'ref', id: `${field}:${id}` } })
  }
  for (const inline of [raw(chunk.inlineFile), raw(chunk.inlineImage)])
    if (str(inline.data))
      out.push({
        type: 'file',
        mediaType: str(inline.mimeType) ?? 'application/octet-stream',
        source: { kind: 'data', base64: inline.data },
      })
  const { executableCode: code, codeExecutionResult: result } = chunk
  if (isRaw(code))
    out.push({
      type: 'text',
      text: `\`\`\`${String(code.language ?? '').toLowerCase()}\n${String(code.code ?? '')}\n\`\`\``,
    })
  if (isRaw(result))
    out.push({ type: 'text', text: `\`\`\`\n${String(result.output ?? result.outcome ?? '')}\n\`\`\`` })
  if (str(chunk.errorMessage)) out.push({ type: 'text', text: chunk.errorMessage })
  return out
}

const signed = ({ thoughtSignatures }: Raw): object => {
  const [signature] = Array.isArray(thoughtSignatures) ? thoughtSignatures : []
  return str(signature) ? { signature } : {}
}

const media: Readonly<Record<string, string>> = {
  ...{ driveDocument: 'application/octet-stream', driveImage: 'image/*', driveAudio: 'audio/*', driveVideo: 'video/*' },
  youtubeVideo: 'video/*',
}
