/** Cuts a stream of bytes into server-sent events or lines, and nothing else: no event is passed on before it is whole. */

export interface Framer {
  /** The events that these bytes complete. Throws on bytes that are no UTF-8 or no such stream. */
  push(bytes: Uint8Array): string[]
  /** Characters that wait for the rest of their event. */
  readonly waiting: number
}

export function framer(kind: 'events' | 'lines'): Framer {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const take = kind === 'events' ? eventReader() : lineReader
  let rest = ''
  return {
    get waiting() {
      return rest.length
    },
    push(bytes) {
      // a carriage return at the end may be half a line break
      const text = rest + decoder.decode(bytes, { stream: true })
      const edge = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r', text.length - 2)) + 1
      rest = text.slice(edge)
      if (edge === 0) return []
      const lines = text.slice(0, edge).split(/\r\n|\r|\n/)
      lines.pop()
      return lines.flatMap(take)
    },
  }
}

const lineReader = (line: string): string[] => (line.trim() === '' ? [] : [line])

function eventReader(): (line: string) => string[] {
  let data: string[] = []
  return (line) => {
    if (line === '') {
      const event = data
      data = []
      return event.length > 0 ? [event.join('\n')] : []
    }
    const field = /^([\w-]*)(?:: ?|$)/.exec(line)
    if (!field) throw new Error('a line of the stream has no field')
    if (field[1] === 'data') data.push(line.slice(field[0].length))
    return []
  }
}
