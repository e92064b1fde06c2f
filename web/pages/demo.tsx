/** The demo says that it is one, and goes in one click. */
import type { Conversation } from '../../src/client/index.js'
import { addressOf } from '../place.js'
import { strings } from '../strings/pages.js'

interface Props {
  readonly demo: Conversation
  remove(): void
}

export const isDemo = ({ meta }: Conversation): boolean => meta.demo === true

export const DemoStrip = ({ remove }: Props) => (
  <aside className="strip" aria-label={strings.demoMark}>
    <span>{strings.demoSays}</span>
    <button type="button" className="quiet" onClick={remove}>
      {strings.demoRemove}
    </button>
  </aside>
)

export const Welcome = ({ demo, remove }: Props) => (
  <aside className="welcome" aria-label={strings.welcomeTitle}>
    <p>
      <strong>{strings.welcomeTitle}</strong> {strings.welcomeSays}
    </p>
    <a className="primary" href={addressOf(demo.id)}>
      {strings.welcomeOpen}
    </a>
    <button type="button" className="quiet" onClick={remove}>
      {strings.demoRemove}
    </button>
  </aside>
)
