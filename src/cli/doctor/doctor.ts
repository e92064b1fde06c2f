/** `throughline doctor`: looks at a deployment and says what to do. */
import { exits, Failure } from '../kit/failure.js'
import { type SettingFlags, settingsOf, storePlace } from '../kit/settings.js'
import { put, putJson } from '../kit/sink.js'
import { type Paint, paintFor, printable } from '../kit/term.js'
import { type Looked, lookAt } from './database.js'
import { bad, type Finding, looked, ok } from './finding.js'
import { checkClock, checkDisk, checkNode, checkPort } from './machine.js'
import { checkAccess, checkModels, checkWindow } from './service.js'

export async function doctor({ json, ...flags }: SettingFlags & { readonly json?: unknown }): Promise<number> {
  const findings = await look(flags)
  const broken = findings.filter(({ state }) => state === 'bad').length
  if (json) await putJson({ schema: 'throughline.doctor/1', ok: broken === 0, findings })
  else await put(`${shown(findings, paintFor(process.stdout)).join('\n')}\n`)
  return broken === 0 ? exits.ok : exits.failed
}

async function look(flags: SettingFlags): Promise<readonly Finding[]> {
  const node = checkNode()
  let settled: ReturnType<typeof settingsOf>
  try {
    settled = settingsOf(flags)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const [, ...problems] = error.message.split('\n')
    return [node, ...problems.slice(0, -1).map((one) => bad('settings', one.trim(), 'throughline config --schema'))]
  }
  const { config, file } = settled
  const place = storePlace(settled)
  let found: Looked = { findings: [], store: null, clock: null }
  const database = await looked('database', async () => {
    found = await lookAt(place)
    return found.findings
  })
  const { store, clock } = found
  const kept = place.kind === 'sqlite' ? place.file : null
  try {
    return [
      node,
      ok('settings', file ?? 'defaults and environment'),
      ...database,
      ...(kept ? await looked('disk', async () => [await checkDisk(kept)]) : []),
      ...(await looked('clock', async () => [await checkClock(clock, kept)])),
      ...(await looked('port', async () => [await checkPort(settled)])),
      ...(store ? await looked('access', async () => [await checkAccess(store, settled)]) : []),
      ...(await looked('models', () => checkModels(settled))),
      ...(await looked('window', async () => [await checkWindow(config)])),
    ]
  } finally {
    await store?.close()
  }
}

function shown(findings: readonly Finding[], paint: Paint): string[] {
  const signs = { ok: paint.green('✔'), untried: paint.dim('–'), warn: paint.yellow('!'), bad: paint.red('✖') }
  return findings.flatMap(({ name, state, says, fix }) => [
    `${signs[state]} ${name.padEnd(13)}${printable(says)}`,
    ...(fix === undefined ? [] : [`  ${' '.repeat(13)}${paint.dim(`→ ${printable(fix)}`)}`]),
  ])
}
