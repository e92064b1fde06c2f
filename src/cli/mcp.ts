/** `throughline mcp`: one client on stdin and stdout, until it leaves. */
import { policiesOf } from '../config/geometry.js'
import type { Settled } from '../config/load.js'
import { serveMcp } from '../mcp/stdio.js'
import { openModels } from '../models/registry.js'
import type { Store } from '../store/contract.js'
import type { Agent } from '../tasks/agents/contract.js'
import type { Tasks } from '../tasks/contract.js'
import { openTasks } from '../tasks/tasks.js'
import { agentsOf } from './agents.js'
import { exits, misused } from './failure.js'
import { modelsConfig } from './serve/models.js'
import { openStore, type SettingFlags, settingsOf, storePlace } from './settings.js'
import { packageVersion } from './version.js'

interface Flags extends SettingFlags {
  readonly workspace?: string | undefined
  readonly finish?: boolean | undefined
}

export async function serveStdio(flags: Flags): Promise<number> {
  const { workspace = 'default' } = flags
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(workspace))
    throw misused('--workspace must be 1 to 64 letters, digits, - and _', `got '${workspace}'`)
  const settled = settingsOf(flags)
  const left = signalled()
  const store = await openStore(storePlace(settled))
  try {
    return await serveFrom(store, workspace, settled, { left, finish: flags.finish === true })
  } finally {
    await store.close()
  }
}

interface Ending {
  /** Resolves with the first signal. */
  readonly left: Promise<void>
  readonly finish: boolean
}

async function serveFrom(store: Store, workspace: string, { config }: Settled, ending: Ending): Promise<number> {
  const models = await openModels(modelsConfig(config, process.env))
  const { runner, runners, roots } = agentsOf(config)
  const { tasks, idle } = counted(openTasks({ store, workspace, models, runners, roots }))
  await tasks.recover()
  const version = packageVersion()
  const session = serveMcp({ store, workspace, tasks, runner, version, policy: policiesOf(config).usual, log })
  await Promise.race([session.ended, ending.left])
  if (ending.finish) await Promise.race([idle(), ending.left])
  await session.close()
  await tasks.close()
  return exits.ok
}

/** Knows when the last agent that was started here has ended. */
function counted(tasks: Tasks): { readonly tasks: Tasks; readonly idle: () => Promise<void> } {
  const working = new Set<Promise<Agent>>()
  const deploy: Tasks['deploy'] = async (task, request) => {
    const deployed = await tasks.deploy(task, request)
    const { ended } = deployed
    working.add(ended)
    ended.catch(() => undefined).then(() => working.delete(ended))
    return deployed
  }
  const idle = async (): Promise<void> => {
    while (working.size > 0) await Promise.allSettled(working)
  }
  return { tasks: { ...tasks, deploy }, idle }
}

/** Stdout belongs to the protocol. */
const log = (line: object): void => void process.stderr.write(`${JSON.stringify(line)}\n`)

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.removeAllListeners(name)
      // a second one does not wait for anything
      process.once(name, () => {
        process.once(name, () => process.exit(exits.interrupted))
        resolve()
      })
    }
  })
}
