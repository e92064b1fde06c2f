import { desk, run } from '../cli.fixture.js'
import type { Finding } from './finding.js'

export const env = { THROUGHLINE_DETECT_MODELS: 'false' }

export async function look(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const { code, stdout } = await run(['doctor', '--json', ...args], { env: { ...env, ...more }, cwd: desk().folder })
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] }
  return { code, of: (name: string) => findings.find((one) => one.name === name), findings }
}
