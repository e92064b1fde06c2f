/** Blocks of lines between marks of ours, so that they can be found again. */

const [begin, end] = ['# >>> throughline', '# <<< throughline']

const marked = (lines: readonly string[]): string => `${[begin, ...lines, end].join('\n')}\n`

export function withLines(text: string, [first = [], ...rest]: readonly (readonly string[])[]): string {
  const bare = withoutLines(text)
  const body = bare === '' || bare.endsWith('\n') ? bare : `${bare}\n`
  return `${marked(first)}${body}${rest.map(marked).join('')}`
}

export function withoutLines(text: string): string {
  const kept: string[] = []
  let isOurs = false
  for (const line of text.split('\n')) {
    if (line === begin) isOurs = true
    else if (line === end) isOurs = false
    else if (!isOurs) kept.push(line)
  }
  return kept.join('\n')
}
