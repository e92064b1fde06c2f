/** `throughline fork`: a new branch at a message; nothing is copied. */
import { forkBranch } from '../../operations/branches.js'
import type { Entry } from '../../store/contract/entry.js'
import type { Cli, DeskOptions } from '../kit/desk.js'
import { conflict, misused } from '../kit/failure.js'
import { contextAt, operate } from '../kit/operate.js'
import { put, say } from '../kit/sink.js'
import { conversationNamed, findEntry } from './find.js'

type Flags = DeskOptions<'id' | 'at' | 'name'>

export function forkStored(flags: Flags): Promise<number> {
  const { at, name } = flags
  if (at === undefined) throw misused('fork needs --at MSG', 'throughline show ID numbers the messages')
  let conversation = ''
  return operate(flags, forkBranch, {
    input: async (context) => {
      conversation = (await conversationNamed(context, flags.id)).id
      return forkOf(context, conversation, await findEntry(context, conversation, at), name)
    },
    print: async (branch) => {
      await put(`${branch.name}\n`)
      say(`continue with: throughline chat -t ${conversation} --branch ${branch.name}`)
    },
  })
}

/** A name that says where it begins, unless one is given. */
async function forkOf({ store, workspace }: Cli, conversation: string, at: Entry | null, name?: string) {
  const taken = new Set((await store.branches(workspace, conversation)).map((one) => one.name))
  if (name !== undefined && taken.has(name)) throw conflict(`there is a branch ${name} already`)
  const branch = name ?? freeName(`fork-${at?.seq ?? 0}`, taken)
  return { conversation_id: conversation, at: at?.id ?? null, branch }
}

export async function forkAt(desk: Cli, conversation: string, at: Entry | null, name?: string) {
  return forkBranch.run(contextAt(desk), await forkOf(desk, conversation, at, name))
}

function freeName(base: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`
    if (!taken.has(name)) return name
  }
}
