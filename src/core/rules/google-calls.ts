import { quote, type Report } from './table/rule.js'

export interface Calls {
  call(name: string, id: string | undefined, path: string): void
  response(name: string, id: string | undefined, path: string): void
  /** The responses seen are all that the calls made so far can get. */
  close(): void
}

interface Half {
  readonly name: string
  readonly id: string | undefined
  readonly path: string
}

/** Pairs the calls and responses of one turn: by id where both give one, by name otherwise. */
export function matching(report: Report<'tool.id.repeated' | 'tool.result.missing' | 'tool.result.orphan'>): Calls {
  const ids = new Set<string>()
  let calls: Half[] = []
  let responses: Half[] = []
  return {
    call(name, id, path) {
      if (id !== undefined && ids.has(id)) report('tool.id.repeated', path, `the call id ${quote(id)} is used twice`)
      if (id !== undefined) ids.add(id)
      calls.push({ name, id, path })
    },
    response(name, id, path) {
      responses.push({ name, id, path })
    },
    close() {
      const { open, left } = pair(calls, responses)
      for (const { name, path } of left) report('tool.result.orphan', path, `no call of ${quote(name)} waits for this`)
      for (const { name, path } of open)
        report('tool.result.missing', path, `the call of ${quote(name)} has no response`)
      calls = []
      responses = []
    },
  }
}

function pair(calls: readonly Half[], responses: readonly Half[]): { open: Iterable<Half>; left: readonly Half[] } {
  const open = new Set(calls)
  const byId = new Map(calls.map((call) => [call.id, call]))
  // exact ids are served before a response without one takes any call of its name
  const unmatched = responses.filter(({ name, id }) => {
    const call = id === undefined ? undefined : byId.get(id)
    return call?.name !== name || !open.delete(call)
  })
  const any = queues(open, () => true)
  const withoutId = queues(open, ({ id }) => id === undefined)
  const left = unmatched.filter(({ name, id }) => {
    const queue = (id === undefined ? any : withoutId).get(name) ?? []
    while (queue.length > 0) if (open.delete(queue.pop() as Half)) return false
    return true
  })
  return { open, left }
}

function queues(calls: Iterable<Half>, keep: (call: Half) => boolean): Map<string, Half[]> {
  const byName = new Map<string, Half[]>()
  for (const call of calls) {
    if (!keep(call)) continue
    const queue = byName.get(call.name)
    if (queue) queue.push(call)
    else byName.set(call.name, [call])
  }
  return byName
}
