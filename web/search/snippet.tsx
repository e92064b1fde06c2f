import type { Hit } from '../../src/client/index.js'

/** The words around a hit, with the hit itself marked. */
export function Snippet({ hit: { snippet, marks } }: { readonly hit: Hit }) {
  const parts = marks.flatMap(([from, to], at) => [
    snippet.slice(marks[at - 1]?.[1] ?? 0, from),
    <mark key={from}>{snippet.slice(from, to)}</mark>,
  ])
  return (
    <span className="snippet">
      {parts}
      {snippet.slice(marks.at(-1)?.[1] ?? 0)}
    </span>
  )
}
