/** A later request begins with the earlier one. */

/** P-18: the stable part of a request, without its last element, as bytes. */
export function stable(rendered: unknown): string {
  if (typeof rendered === 'string')
    return rendered.replace(/(?:<\/conversation_history>|\n(?:📊 )?History metadata)[\s\S]*$/, '')
  const { messages, input, contents } = rendered as Record<string, readonly unknown[] | undefined>
  const list = messages ?? input ?? contents ?? []
  return list
    .slice(0, -1)
    .map((one) => JSON.stringify(one))
    .join('\n')
}

/** The later request begins with the earlier one. */
export const extended = (earlier: unknown, later: unknown): string[] =>
  bytesOf(later).startsWith(stable(earlier)) ? [] : ['the prefix has changed']

function bytesOf(rendered: unknown): string {
  if (typeof rendered === 'string') return rendered
  const { messages, input, contents } = rendered as Record<string, readonly unknown[] | undefined>
  return (messages ?? input ?? contents ?? []).map((one) => JSON.stringify(one)).join('\n')
}
