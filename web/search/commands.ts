/** What can be done without the mouse, by name. */
import { type Asked, ask } from '../ask.js'
import { goTo, goToPage } from '../place.js'
import { strings } from '../strings/pages.js'
import { settingsWords } from '../strings/settings.js'
import { toolWords } from '../strings/tools.js'
import { setTheme } from '../theme.js'

export interface Command {
  readonly label: string
  /** As it is shown. */
  readonly keys?: string
  run(): void
}

interface Around {
  readonly conversation: string | null
  openArchive(): void
}

export function commandsFor({ conversation, openArchive }: Around): readonly Command[] {
  const open = (what: Asked) => () => void ask(what)
  return [
    { label: strings.newChat, keys: 'Ctrl ⇧ O', run: () => goTo(null) },
    ...(conversation === null
      ? []
      : [
          { label: strings.shareThis, run: open('share') },
          { label: strings.print, run: () => print() },
        ]),
    { label: strings.memories, run: () => goToPage('memory') },
    { label: strings.usage, run: () => goToPage('usage') },
    { label: strings.models, run: () => goToPage('models') },
    { label: toolWords.title, run: () => goToPage('tools') },
    { label: settingsWords.title, run: () => goToPage('settings') },
    { label: settingsWords.importTitle, run: open('import') },
    { label: strings.openArchive, run: openArchive },
    { label: strings.toLight, run: () => setTheme('light') },
    { label: strings.toDark, run: () => setTheme('dark') },
    { label: strings.toAuto, run: () => setTheme('auto') },
    { label: strings.shortcuts, keys: '?', run: open('shortcuts') },
  ]
}

/** Each word of what was typed begins a word of the label. */
export function matching(commands: readonly Command[], typed: string): readonly Command[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return commands.filter(({ label }) => {
    const parts = label.toLowerCase().split(/\s+/)
    return words.every((word) => parts.some((part) => part.startsWith(word)))
  })
}
