/** What a person does in a conversation. An error is shown, and what was written is not lost. */
import type { ConversationPatch, Message, NewMessage, Run, RunSettings } from '../../src/client/index.js'
import { api } from '../api.js'
import { decide as decideMark, type Mark } from '../mark.js'
import { goTo } from '../place.js'
import { toolOf } from '../tools/name.js'
import type { Attachment } from './attachment.js'
import { partsOf } from './attachment.js'
import type { Chat } from './open-chat.js'
import { isOver } from './state.js'
import { branchThrough, freeName, newestBelow, treeOf } from './tree.js'
import { upload } from './upload.js'

export interface Actions {
  say(text: string, files: readonly Attachment[]): Promise<void>
  stop(): void
  edit(message: Message, text: string): Promise<void>
  /** By the same model, or another. */
  again(message: Message, model?: string): Promise<void>
  retry(): Promise<void>
  /** Shows another version of a message, wherever its branch has gone since. */
  show(node: string): Promise<void>
  rate(message: Message, value: -1 | 0 | 1): Promise<void>
  mark(message: Message, change: Mark): Promise<void>
  rename(branch: string, name: string): Promise<void>
  /** The branch goes; what was said on it stays in the log. */
  drop(branch: string): Promise<void>
  set(change: ConversationPatch): Promise<void>
  /** Lets a call that waits run, now or from now on, or refuses it. */
  decide(
    run: string,
    call: { readonly id: string; readonly name: string },
    verdict: 'approve' | 'deny' | 'always',
  ): Promise<void>
  /** Lets an agent go on that has used up what it may. */
  resume(run: string): Promise<void>
  forgive(): void
}

export function actionsOf(chat: Chat, settings: () => RunSettings, changed: () => void): Actions {
  const { id, branch, state } = chat
  const trying = async (work: () => Promise<Run | null | undefined>): Promise<void> => {
    state.set({ error: null })
    try {
      const run = await work()
      if (run) chat.watch(run, true)
      changed()
    } catch (error) {
      state.set({ error, sending: null })
      throw error
    }
  }
  return {
    say: (text, files) =>
      trying(async () => {
        const tell = (sent: number | null) => state.set({ sending: { text, files, sent } })
        tell(null)
        const kept = await upload(id, files, tell)
        const message: NewMessage = files.length === 0 ? text : { role: 'user', parts: partsOf(text, kept) }
        const asked = { ...settings(), message, branch, when_busy: 'queue' as const }
        return (await api.runs.start(id, asked)).run
      }),
    stop() {
      const { run } = state.get()
      if (run && !isOver(run)) void api.runs.stop(id, run.id).catch((error) => state.set({ error }))
    },
    edit: (message, text) =>
      trying(async () => {
        const files = message.kind === 'message' ? message.parts.filter(({ type }) => type === 'file') : []
        const edited = await api.messages.edit(id, message.id, {
          message: files.length === 0 ? text : { role: 'user', parts: [{ type: 'text', text }, ...files] },
          branch: freeName('edit', state.get().branches),
          run: settings(),
        })
        goTo(id, edited.branch)
        return null
      }),
    again: (message, model) =>
      trying(async () => {
        const run = { ...settings(), ...(model !== undefined && { model }) }
        const body = { branch: freeName('again', state.get().branches), run }
        goTo(id, (await api.messages.regenerate(id, message.id, body)).name)
        return null
      }),
    retry: () => trying(async () => (await api.runs.start(id, { ...settings(), branch })).run),
    async show(node) {
      const { nodes, branches } = state.get()
      const tree = treeOf(nodes)
      const found = branchThrough(tree, branches, node)
      if (found) return goTo(id, found.name, node)
      const name = freeName('way', branches)
      goTo(id, (await api.branches.fork(id, { at: newestBelow(tree, node), branch: name })).name, node)
    },
    async rate(message, value) {
      const rating = await api.messages.rate(id, message.id, { value })
      chat.replace({ ...message, rating })
    },
    mark: (message, change) =>
      trying(async () => {
        await decideMark(id, [message.id], change)
        return null
      }),
    rename: (from, name) =>
      trying(async () => {
        await api.branches.rename(id, from, name)
        if (from === branch) goTo(id, name)
        else await chat.refresh()
        return null
      }),
    drop: (name) =>
      trying(async () => {
        await api.branches.remove(id, name)
        if (name === branch) goTo(id)
        else await chat.refresh()
        return null
      }),
    set: (change) =>
      trying(async () => {
        state.set({ conversation: await api.conversations.update(id, change) })
        return null
      }),
    decide: (run, { id: call_id, name }, verdict) =>
      trying(async () => {
        const { server } = toolOf(name)
        if (verdict === 'always' && server !== null)
          await api.toolServers.allow(server, { tools: { [name]: 'always' } })
        const decision = { call_id, verdict: verdict === 'deny' ? 'deny' : 'approve' } as const
        const { run: decided, next } = await api.runs.decide(id, run, decision)
        state.set({ runs: state.get().runs.map((one) => (one.id === decided.id ? decided : one)) })
        return next?.run
      }),
    resume: (run) => trying(async () => (await api.runs.resume(id, run)).run),
    forgive: () => state.set({ error: null }),
  }
}
