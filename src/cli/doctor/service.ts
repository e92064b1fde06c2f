/** The service itself: who may call, who answers, and whether a window comes out. */
import { policiesOf } from '../../config/geometry.js'
import type { Loaded } from '../../config/load.js'
import type { Config } from '../../config/schema.js'
import { openHistory } from '../../engine/history.js'
import type { Store } from '../../store/contract/store.js'
import { memoryStore } from '../../store/memory/store.js'
import { modelsOf } from '../kit/models.js'
import { accessTo } from '../serve/access.js'
import { bad, type Finding, ok, untried, warn } from './finding.js'

export async function checkAccess(store: Store, settled: Loaded): Promise<Finding> {
  const { auth, keys } = await accessTo(store, settled)
  if (auth.mode === 'open') return ok('access', 'open to this machine, because there are no keys')
  if (keys.length === 0) return warn('access', 'every key was revoked: no one can call', 'throughline keys create')
  return ok('access', `${keys.length} key${keys.length === 1 ? '' : 's'} for ${settled.config.host}`)
}

/** Servers of this machine are asked what they have; no one else is, because it may cost. */
export async function checkModels(settled: Loaded): Promise<readonly Finding[]> {
  const models = await modelsOf({ settled })
  const all = await models.list()
  const providers = new Map<string, number>()
  for (const { id } of all)
    providers.set(id.split('/')[0] as string, (providers.get(id.split('/')[0] as string) ?? 0) + 1)
  const state = all.some(({ kind, ready }) => kind === 'hosted' && ready) ? untried : ok
  const listed = state('models', Array.from(providers, ([name, count]) => `${name} (${count})`).join(', '))
  try {
    const model = await models.find()
    const says: Readonly<Record<typeof model.kind, string>> = {
      builtin: `${model.id} answers: no AI, it only quotes the conversation; a key or Ollama brings another`,
      local: `${model.id} answers, on this machine`,
      hosted: `${model.id} answers; it was not asked now, because its provider may charge`,
    }
    return [listed, (model.kind === 'hosted' ? untried : ok)('answers', says[model.kind])]
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error)
    return [listed, bad('answers', says, 'start it, or choose another with --model or THROUGHLINE_MODEL')]
  }
}

/** A conversation in memory, all the way to a window. */
export async function checkWindow(config: Config): Promise<Finding> {
  const { usual } = policiesOf(config)
  const history = await openHistory({ store: memoryStore(), policy: usual })
  await history.append([
    { role: 'user', content: 'My cat is called Miso.' },
    { role: 'assistant', content: 'A fine name.' },
    { role: 'user', content: 'What is my cat called?' },
  ])
  const made = await history.window(config.model === null ? {} : { model: config.model })
  if (!made.ok) return bad('window', made.error.message, 'throughline policies show says what the policy asks for')
  return ok('window', `${made.receipt.totals.kept} messages, ${made.receipt.budget.used} tokens, policy ${usual.name}`)
}
