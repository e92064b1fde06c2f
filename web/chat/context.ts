/** What every part of the screen may reach; it is the same for as long as the branch is shown. */
import { createContext, use } from 'react'
import type { Choices } from '../app.js'
import type { Actions } from './actions.js'
import type { Chat } from './open-chat.js'

export interface Screen {
  readonly chat: Chat
  readonly actions: Actions
  readonly choices: Choices | null
  /** What the model saw for an answer, beginning with a message; without one, again to close it. */
  look(answer: string, at?: string): void
  /** Opens one of the larger views. */
  open(view: 'tree' | 'branches' | 'settings' | { readonly compare: string | null }): void
}

export const ScreenContext = createContext<Screen | null>(null)

export function useScreen(): Screen {
  const screen = use(ScreenContext)
  if (!screen) throw new Error('a part of the conversation screen stands outside of it')
  return screen
}
