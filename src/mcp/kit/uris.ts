/** The names of resources. Ids are whatever their makers chose, so they are written in the form of an address. */

const part = encodeURIComponent

export const uris = {
  tasks: 'tasks://list',
  status: (task: string): string => `task://${part(task)}/status`,
  timeline: (task: string): string => `task://${part(task)}/progress-timeline`,
  prompt: (task: string): string => `task://${part(task)}/prompt`,
  context: (task: string): string => `task://${part(task)}/context`,
  conversation: (id: string): string => `throughline://conversations/${part(id)}`,
  receipt: (id: string): string => `throughline://receipts/${part(id)}`,
} as const

export type UriPlace =
  | { readonly kind: 'tasks' }
  | { readonly kind: 'status' | 'timeline' | 'prompt' | 'context' | 'receipt'; readonly id: string }
  | { readonly kind: 'conversation'; readonly id: string; readonly format?: string | undefined }

const forms: readonly (readonly [Exclude<UriPlace['kind'], 'tasks'>, RegExp])[] = [
  ['status', /^task:\/\/([^/?#]+)\/status$/],
  ['timeline', /^task:\/\/([^/?#]+)\/progress-timeline$/],
  ['prompt', /^task:\/\/([^/?#]+)\/prompt$/],
  ['context', /^task:\/\/([^/?#]+)\/context$/],
  ['conversation', /^throughline:\/\/conversations\/([^/?#]+)(?:\?format=(\w+))?$/],
  ['receipt', /^throughline:\/\/receipts\/([^/?#]+)$/],
]

/** Null for what names nothing of ours. */
export function placeOfUri(uri: string): UriPlace | null {
  if (uri.length > 2_000) return null
  if (uri === uris.tasks) return { kind: 'tasks' }
  for (const [kind, form] of forms) {
    const [, id, format] = form.exec(uri) ?? []
    const known = id === undefined ? null : decoded(id)
    if (known !== null) return { kind, id: known, ...(kind === 'conversation' && { format }) }
  }
  return null
}

function decoded(id: string): string | null {
  try {
    return decodeURIComponent(id)
  } catch {
    return null
  }
}
