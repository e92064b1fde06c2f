import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Files by their path from the root of the repository, with forward slashes. */
export type Tree = Readonly<Record<string, string>>

export const root = join(import.meta.dirname, '..', '..')

export function readTree(folder: string, wanted: (path: string) => boolean): Tree {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter(wanted)
    .sort()
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

export const isTest = (path: string): boolean => path.endsWith('.test.ts')

/** Tests that files of both tiers run, each with its own cases. */
export const isSuite = (path: string): boolean => path.endsWith('.suite.ts')

/** What tests share: beside the code like them, and like them no part of the package. */
export const isFixture = (path: string): boolean => path.endsWith('.fixture.ts')
