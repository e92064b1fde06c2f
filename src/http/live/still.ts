/** Markdown as the app draws it, which the build left beside the app. Where there is no app, words are plain. */

interface Drawing {
  readonly style: string
  htmlOf(text: string): string
}

/** From the doors that are shipped, and from the sources. */
const [shipped, built] = ['../web/still.js', '../../../dist/web/still.js'].map(
  (path) => new URL(path, import.meta.url).href,
)

let drawing: Promise<Drawing> | null = null

export function still(): Promise<Drawing> {
  drawing ??= import(/* @vite-ignore */ `${shipped}`)
    .catch(() => import(/* @vite-ignore */ `${built}`))
    .catch(() => plain)
  return drawing
}

const plain: Drawing = { style: '', htmlOf: (text) => `<p>${safe(text)}</p>` }

export const safe = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] as string)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
