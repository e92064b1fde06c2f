/** Who answers, who else could, and how another is connected. */
import type { Model, System } from '../../src/client/index.js'
import { Copy } from '../copy.js'
import { strings } from '../strings/pages.js'
import { Frame } from './frame.js'

interface Props {
  readonly system: System | null
  again(): void
  openList(): void
}

export function Models({ system, again, openList }: Props) {
  const action = (
    <button type="button" className="quiet" onClick={again}>
      {strings.lookAgain}
    </button>
  )
  return (
    <Frame title={strings.modelsTitle} says={strings.modelsSays} actions={action} openList={openList}>
      {system === null ? (
        <div className="skeleton tall" role="status" aria-label={strings.loading}>
          <i />
          <i />
        </div>
      ) : (
        <>
          <ul className="models">
            {[...system.models]
              .sort((one, other) => Number(other.id === system.model) - Number(one.id === system.model))
              .map((model) => (
                <ModelRow key={model.id} model={model} usual={model.id === system.model} />
              ))}
          </ul>
          <Connect models={system.models} />
          <About system={system} />
        </>
      )}
    </Frame>
  )
}

const ModelRow = ({ model, usual }: { readonly model: Model; readonly usual: boolean }) => (
  <li data-usual={usual}>
    <div>
      <strong>{model.label}</strong> <code>{model.id}</code>
      <p className="dim small">
        {strings.kinds[model.kind]} · {strings.window(model.window)}
        {model.note === undefined ? '' : ` · ${model.note}`}
      </p>
      {usual && !model.ai && <p className="small">{strings.noAiSays}</p>}
    </div>
    <span className="marks">
      {usual && <span className="badge good-badge">{strings.answersNow}</span>}
      {!model.ai && <span className="badge">{strings.noAi}</span>}
      {!model.ready && <span className="badge plain">{strings.notReady}</span>}
    </span>
  </li>
)

function Connect({ models }: { readonly models: readonly Model[] }) {
  const { providers } = strings
  const has = (name: string): boolean => models.some(({ id, ready }) => ready && id.startsWith(`${name}/`))
  return (
    <section>
      <h2>{strings.connect}</h2>
      <p className="dim">{strings.connectSays}</p>
      <div className="ways">
        <Way
          title={providers.ollama}
          says={providers.ollamaSays}
          found={has('ollama')}
          lines={['ollama serve', 'ollama pull llama3.2']}
        />
        <Way
          title={providers.lmstudio}
          says={providers.lmstudioSays}
          found={has('lmstudio')}
          lines={['lms server start']}
        />
        <Way
          title={providers.hosted}
          says={providers.hostedSays}
          found={models.some(({ kind, ready }) => kind === 'hosted' && ready)}
          lines={['ANTHROPIC_API_KEY=…', 'OPENAI_API_KEY=…', 'GOOGLE_GENERATIVE_AI_API_KEY=…']}
        />
        <Way
          title={providers.compatible}
          says={providers.compatibleSays}
          lines={['THROUGHLINE_PROVIDERS={"lab":{"url":"http://127.0.0.1:8000/v1","key_env":"LAB_KEY"}}']}
        />
        <Way title={providers.chosen} says={providers.chosenSays} lines={['THROUGHLINE_MODEL=ollama/llama3.2']} />
      </div>
    </section>
  )
}

interface WayProps {
  readonly title: string
  readonly says: string
  readonly found?: boolean
  readonly lines: readonly string[]
}

const Way = ({ title, says, found, lines }: WayProps) => (
  <div className="way">
    <h3>
      {title}
      {found !== undefined && (
        <span className={found ? 'badge good-badge' : 'badge plain'}>
          {found ? strings.detected : strings.notDetected}
        </span>
      )}
    </h3>
    <p className="dim small">{says}</p>
    {lines.map((line) => (
      <div key={line} className="line">
        <code>{line}</code>
        <Copy text={line} />
      </div>
    ))}
  </div>
)

const About = ({ system }: { readonly system: System }) => (
  <section>
    <h2>{strings.about}</h2>
    <dl className="about">
      <dt>{strings.version}</dt>
      <dd>{system.version ?? '–'}</dd>
      <dt>{strings.storage}</dt>
      <dd>{system.storage ?? '–'}</dd>
      <dt>{strings.access}</dt>
      <dd>{strings.accesses[system.auth]}</dd>
    </dl>
  </section>
)
