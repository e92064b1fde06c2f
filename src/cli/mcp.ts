/** `throughline mcp`: one client on stdin and stdout, until it leaves. */

import { policiesOf } from '../config/geometry.js'
import type { Loaded } from '../config/load.js'
import { serveMcp } from '../mcp/stdio.js'
import type { Store } from '../store/contract/store.js'
import { openTasks } from '../tasks/tasks.js'
import { agentSettings } from './kit/agents.js'
import { exits, misused } from './kit/failure.js'
import { finderOf } from './kit/finder.js'
import { modelsOf } from './kit/models.js'
import type { Given } from './kit/settings.js'
import { openStore, type SettingFlags, settingsOf, storePlace } from './kit/settings.js'
import { packageVersion } from './kit/version.js'

type Flags = SettingFlags & Given<'workspace', 'conformance'>

export async function serveStdio(flags: Flags): Promise<number> {
  const { workspace = 'default' } = flags
  if (flags.conformance) return serveSuite(Number(flags.port ?? 0))
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(workspace))
    throw misused('--workspace must be 1 to 64 letters, digits, - and _', `got '${workspace}'`)
  const settled = settingsOf(flags)
  const left = signalled()
  const store = await openStore(storePlace(settled))
  try {
    return await serveFrom(store, workspace, settled, left)
  } finally {
    await store.close()
  }
}

/** Over HTTP, because that is what the suite speaks; with nothing of anyone's behind it. */
async function serveSuite(port: number): Promise<number> {
  const left = signalled()
  const { serveConformance } = await import('./conformance.js')
  const { url, close } = await serveConformance(port)
  process.stderr.write(`${url}\n`)
  await left
  await close()
  return exits.ok
}

async function serveFrom(store: Store, workspace: string, settled: Loaded, left: Promise<void>): Promise<number> {
  const { config } = settled
  const models = await modelsOf({ settled })
  const { runner, ...agents } = agentSettings(config, 'owner')
  const tasks = openTasks({ store, workspace, models, ...agents })
  await tasks.recover()
  const version = packageVersion()
  const finder = finderOf(config)
  const { usual: policy, presets } = policiesOf(config)
  const session = serveMcp({ store, workspace, tasks, finder, runner, version, policy, presets, log })
  await Promise.race([session.ended, left])
  await session.close()
  await tasks.close()
  return exits.ok
}

/** Stdout belongs to the protocol. */
const log = (line: object): void => void process.stderr.write(`${JSON.stringify(line)}\n`)

/** Resolves with the first signal. */
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
