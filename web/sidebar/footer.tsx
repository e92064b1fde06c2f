/** What is not a conversation: the pages around it. */
import { Icon, type IconName } from '../icons.js'
import { strings } from '../strings/pages.js'
import { settingsWords } from '../strings/settings.js'
import { toolWords } from '../strings/tools.js'

interface Props {
  readonly archived: boolean
  readonly page: string | null
  setArchived(archived: boolean): void
}

export function SideFooter({ archived, page, setArchived }: Props) {
  const links: readonly (readonly [string, IconName, string])[] = [
    ['memory', 'keep', strings.memories],
    ['models', 'chip', strings.models],
    ['tools', 'tool', toolWords.title],
    ['usage', 'bars', strings.usage],
    ['settings', 'gear', settingsWords.title],
  ]
  return (
    <footer>
      <button type="button" className="wide" aria-pressed={archived} onClick={() => setArchived(!archived)}>
        <Icon name="box" /> {strings.archiveOf}
      </button>
      {links.map(([name, icon, label]) => (
        <a key={name} className="wide" href={`#/${name}`} aria-current={page === name ? 'page' : undefined}>
          <Icon name={icon} /> {label}
        </a>
      ))}
    </footer>
  )
}
