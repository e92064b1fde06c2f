import { strings } from '../strings/pages.js'

/** An address that leads nowhere. */
export const Missing = () => (
  <div className="start">
    <title>{`${strings.missingPage} · ${strings.app}`}</title>
    <h1>{strings.missingPage}</h1>
    <p className="dim">{strings.missingSays}</p>
    <a className="primary" href="#/">
      {strings.startNew}
    </a>
  </div>
)
