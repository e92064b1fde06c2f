/** Streams as a reader sees them. */

export interface SeenEvent {
  readonly id: number | null
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of any shape
  readonly data: any
}

/** Complete blocks that carry an event; comments and bookmarks are no events. */
export function eventsIn(text: string): SeenEvent[] {
  return text
    .slice(0, text.lastIndexOf('\n\n') + 2)
    .split('\n\n')
    .flatMap((block) => {
      const field = (name: string): string | undefined =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2)
      const data = field('data')
      if (data === undefined) return []
      const id = field('id')
      return [{ id: id === undefined ? null : Number(id), event: field('event') ?? 'message', data: JSON.parse(data) }]
    })
}

export interface Follower {
  /** All that came so far. */
  text(): string
  events(): SeenEvent[]
  /** Waits until something is there. */
  until(is: (events: SeenEvent[]) => boolean): Promise<SeenEvent[]>
  /** Resolves when the server ended the stream. */
  readonly ended: Promise<void>
  leave(): void
}

export async function followUrl(url: string, init: RequestInit = {}): Promise<Follower> {
  const control = new AbortController()
  const response = await fetch(url, { ...init, signal: control.signal })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  let text = ''
  let wake = (): void => {}
  const decoder = new TextDecoder()
  const ended = (async () => {
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(chunk, { stream: true })
        wake()
      }
    } catch (error) {
      if (!control.signal.aborted) throw error
    }
    wake()
  })()
  ended.catch(() => {})
  return {
    text: () => text,
    events: () => eventsIn(text),
    async until(is) {
      for (let patience = 0; !is(eventsIn(text)); patience++) {
        if (patience > 500) throw new Error(`nothing like it came:\n${text}`)
        await Promise.race([
          new Promise<void>((resolve) => {
            wake = resolve
          }),
          new Promise((resolve) => setTimeout(resolve, 20)),
        ])
      }
      return eventsIn(text)
    },
    ended,
    leave: () => control.abort(),
  }
}
