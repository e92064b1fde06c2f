/** The keys of a conversation that belong to no single message. */
import { isWriting, useKeys } from '../use-keys.js'
import type { Screen } from './context.js'
import { isOver } from './state.js'

export function useChatKeys({ chat, actions, look, open }: Screen): void {
  useKeys(
    {
      escape({ target }) {
        const { run } = chat.state.get()
        if (!run || isOver(run) || isWriting(target)) return false
        actions.stop()
      },
      i() {
        const answer = chat.state.get().receipt?.message_id
        if (!answer) return false
        look(answer)
      },
      t: () => open('tree'),
      '/': () => document.querySelector<HTMLElement>('.composer textarea')?.focus(),
    },
    // before the app, which closes what is open
    { first: true },
  )
}

/** The last message that can be edited, wherever it was drawn. */
export function editLast(): void {
  const buttons = document.querySelectorAll<HTMLButtonElement>('article.user [data-does="edit"]')
  buttons[buttons.length - 1]?.click()
}
