import { ask } from '../ask.js'
import { Icon } from '../icons.js'
import { strings } from '../strings/pages.js'

/** For the head of a conversation. */
export const ShareButton = () => (
  <button type="button" className="quiet with-icon" title={strings.shareThis} onClick={() => ask('share')}>
    <Icon name="share" /> <span>{strings.share}</span>
  </button>
)
