/** A conversation that is being talked in, and how it is talked in. */
import { policiesOf } from '../../config/geometry.js'
import type { RecallFrom } from '../../engine/window/partial.js'
import type { Model, Models } from '../../models/wire/contract.js'
import type { Runs } from '../../runs/contract.js'
import { openRuns } from '../../runs/runs.js'
import { titleOf } from '../../runs/title.js'
import type { Conversation } from '../../store/contract/conversation.js'
import { shortestIds } from '../history/ids.js'
import type { Cli } from '../kit/desk.js'
import { modelsOf } from '../kit/models.js'

interface Manner {
  readonly model?: string | undefined
  readonly policy?: string | undefined
  readonly recall?: RecallFrom | undefined
  readonly system?: string | undefined
}

export interface Talk {
  readonly desk: Cli
  readonly models: Models
  readonly runs: Runs
  readonly id: string
  /** It is there only once something was said. */
  readonly begun: boolean
  readonly branch: string
  readonly manner: Manner
  /** The model that answers. */
  readonly answers: Model
}

export async function openTalk(desk: Cli, found: Conversation | null, branch: string, manner: Manner): Promise<Talk> {
  const models = await modelsOf(desk)
  // a name that nobody has is told before anything is written
  const answers = await models.find(manner.model ?? textIn(found, 'model'))
  const { config } = desk.settled
  const { usual: policy, presets } = policiesOf(config)
  const runs = openRuns({
    store: desk.store,
    models,
    policy,
    presets,
    titles: config.titles,
    compaction: config.compaction,
    leaseSeconds: config.run_lease_seconds,
  })
  const id = found?.id ?? crypto.randomUUID()
  return { desk, models, runs, id, begun: found !== null, branch, manner, answers }
}

/** The first words are its title, and what it begins with stays with it. */
export async function beginTalk(talk: Talk, message: string): Promise<Talk> {
  if (talk.begun) return talk
  const { desk, id, manner } = talk
  const meta = Object.fromEntries(Object.entries(manner).filter(([, value]) => value !== undefined))
  await desk.store.create(desk.workspace, { id, title: titleOf(message), meta, at: new Date().toISOString() })
  return { ...talk, begun: true }
}

export const noAi = 'no AI: builtin/extractive only quotes this conversation; -m names a model (throughline doctor)'

export const isNoAi = ({ answers }: Talk): boolean => answers.kind === 'builtin'

export const wayBack = ({ id, branch }: Talk): string =>
  `continue with: throughline chat -t ${shortestIds([id])[0]}${branch === 'main' ? '' : ` --branch ${branch}`}`

function textIn(found: Conversation | null, name: string): string | undefined {
  const value = found?.meta[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
