/** Keys of the whole screen, where no field has them. */
import { useEffect } from 'react'
import type { Screen } from './context.js'
import { isOver } from './state.js'

export function useKeys({ chat, actions, open }: Screen): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      const target = event.target as HTMLElement
      if (target.closest('input, textarea, select, dialog')) return
      const { run } = chat.state.get()
      if (event.key === 'Escape' && run && !isOver(run)) actions.stop()
      else if (event.key === '?') open('shortcuts')
      else if (event.key === 't') open('tree')
      else if (event.key === '/') document.querySelector<HTMLElement>('.composer textarea')?.focus()
      else return
      event.preventDefault()
    }
    // before the app, which closes what is open
    addEventListener('keydown', pressed, true)
    return () => removeEventListener('keydown', pressed, true)
  }, [chat, actions, open])
}

/** The last message that can be edited, wherever it was drawn. */
export function editLast(): void {
  const buttons = document.querySelectorAll<HTMLButtonElement>('article.user [data-does="edit"]')
  buttons[buttons.length - 1]?.click()
}
