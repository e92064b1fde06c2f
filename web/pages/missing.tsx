import { strings } from '../strings/pages.js'
import { Frame } from './frame.js'

interface Props {
  readonly title: string
  readonly says: string
  openList(): void
}

/** An address that leads nowhere. */
export const Missing = (props: Props) => (
  <Frame {...props}>
    <a className="primary" href="#/">
      {strings.startNew}
    </a>
  </Frame>
)
