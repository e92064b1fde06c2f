import { strings } from '../strings/pages.js'

/** What stands there when drawing the app itself has failed: a way out, and what to tell. */
export const Broken = ({ error }: { readonly error: unknown }) => (
  <main className="centre">
    <title>{`${strings.broken} · ${strings.app}`}</title>
    <div className="card" role="alert">
      <h1>{strings.broken}</h1>
      <p className="dim">{strings.brokenSays}</p>
      <div className="pair">
        <button type="button" className="primary" onClick={() => location.reload()}>
          {strings.reload}
        </button>
        <button type="button" className="quiet" onClick={() => location.replace('/')}>
          {strings.toStart}
        </button>
      </div>
      <details>
        <summary>{strings.details}</summary>
        <pre>{error instanceof Error ? (error.stack ?? error.message) : String(error)}</pre>
      </details>
    </div>
  </main>
)
