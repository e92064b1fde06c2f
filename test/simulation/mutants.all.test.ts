/** The simulation is worth what it finds: each mistake in the code of runs and queue breaks a law in some world. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { type SourceMutant, sourceMutants } from './mutants.js'
import type * as World from './world.js'
import type { Mode } from './world.js'

const root = join(import.meta.dirname, '..', '..')
const cache = join(root, 'node_modules', '.cache', 'throughline')
mkdirSync(cache, { recursive: true })
// where the packages are found
const folder = mkdtempSync(join(cache, 'mutants-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The world on sources with one mistake, or with none. */
async function worldOf(number: number, mutant: SourceMutant | null): Promise<typeof World> {
  const outfile = join(folder, `${number}.mjs`)
  const made = await build({
    metafile: true,
    entryPoints: [join(root, 'test', 'simulation', 'world.ts')],
    outfile,
    ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'silent' },
    plugins:
      mutant === null
        ? []
        : [{ name: 'mutant', setup: ({ onLoad }) => onLoad({ filter: /\.ts$/ }, ({ path }) => changed(path, mutant)) }],
  })
  // a mistake in a file that is no longer there would be found by nobody
  if (mutant) expect(Object.keys(made.metafile.inputs)).toContain(mutant.file)
  return import(pathToFileURL(outfile).href)
}

function changed(path: string, { file, from, to }: SourceMutant) {
  if (path !== join(root, file)) return null
  const source = readFileSync(path, 'utf8')
  if (source.split(from).length !== 2) throw new Error(`${file} has not exactly one ${from}`)
  return { contents: source.replace(from, () => to), loader: 'ts' as const }
}

/** What the first world says in which a law is broken. */
async function found({ episode }: typeof World, mode: Mode, worlds: number): Promise<string | null> {
  await episode(0, 30, { mode }).catch(() => {})
  for (let seed = 1; seed <= worlds; seed++)
    try {
      await episode(seed, 50, { mode })
    } catch (error) {
      return `${(error as Error).constructor.name} ${seed}: ${(error as Error).message}`
    }
  return null
}

test.each(['talk', 'hand', 'door'] as const)(
  'without a mistake no law is broken (%s)',
  async (mode) => {
    expect(await found(await worldOf(0, null), mode, 20)).toBeNull()
  },
  300_000,
)

test.each(sourceMutants.map((mutant, at) => [mutant.what, mutant, at + 1] as const))(
  'a world in which %s is found out',
  async (_, mutant, number) => {
    const said = await found(await worldOf(number, mutant), mutant.mode, 300)
    if (process.env.SIMULATION_TELLS) console.info(`${mutant.what}: ${said}`)
    expect(said).toMatch(/^Broken/)
  },
  300_000,
)
