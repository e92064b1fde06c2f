/** Whether docs/surface is up to date is a gate of `npm run check` and of CI. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from './lib/tree.js'

const run = promisify(execFile)

test('the surface follows re-exports, drops comments and shows what is seen through an exported type', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-surface-'))
  const file = (name: string, text: string) => writeFileSync(join(folder, name), text)
  file('index.d.ts', `export { fit, type Rule as FitRule } from './fit.js';\nexport { z } from 'zod';\n`)
  file(
    'fit.d.ts',
    `import type { Limit } from './limit.js';
/** A comment; with a semicolon. */
export interface Rule {
    readonly limit: Limit; // what counts
}
export declare function fit(a: {
    readonly x: ';';
}): Rule;
export declare const hidden: number;
`,
  )
  file('limit.d.ts', `export type Limit = import("./unit.js").Unit | { max: number; };\n`)
  file('unit.d.ts', `export type Unit = 'chars' | 'tokens';\n`)
  const script = `
    import { surface } from ${JSON.stringify(pathToFileURL(join(root, 'scripts', 'lib', 'surface.mjs')).href)}
    console.log(JSON.stringify(surface(process.argv[1])))
  `
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, join(folder, 'index.d.ts')])
  rmSync(folder, { recursive: true })
  const { exported, reached } = JSON.parse(stdout) as Record<string, { name: string; text: string }[]>
  expect(exported).toEqual([
    { name: 'FitRule', text: 'interface Rule {\n    readonly limit: Limit;\n}\nexport { Rule as FitRule }' },
    { name: 'fit', text: `function fit(a: {\n    readonly x: ';';\n}): Rule;` },
    { name: 'z', text: `export { z } from 'zod'` },
  ])
  expect(reached?.map(({ name }) => name)).toEqual(['Limit', 'Unit'])
})

test('an export without TSDoc and a function without an example are told, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-surface-'))
  writeFileSync(
    join(folder, 'index.d.ts'),
    `/** About the file. */\nexport { fit, cut, bare, type Rule, type Mute, type Last, twice } from './fit.js';\n`,
  )
  writeFileSync(
    join(folder, 'fit.d.ts'),
    `/** About the file. */
import type { Limit } from './limit.js';
/** Fits. @example fit() */
export declare function fit(): Limit;
/** Cuts. */
export declare const cut: (text: string) => string;
export declare function bare(): void;
/** A rule. */
export interface Rule {
    /** Inside. */
    readonly limit: Limit;
}
export interface Mute {
    /** Only inside. */
    readonly limit: Limit;
}
// no TSDoc
export type Last = string;
/** Twice. @example twice() */
export declare const twice: <T>(value: T) => T;
`,
  )
  const script = `
    import { undocumented } from ${JSON.stringify(pathToFileURL(join(root, 'scripts', 'lib', 'surface.mjs')).href)}
    console.log(JSON.stringify(undocumented(process.argv[1])))
  `
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, join(folder, 'index.d.ts')])
  rmSync(folder, { recursive: true })
  expect(JSON.parse(stdout)).toEqual([
    { name: 'cut', lacks: 'example' },
    { name: 'bare', lacks: 'comment' },
    { name: 'Mute', lacks: 'comment' },
    { name: 'Last', lacks: 'comment' },
  ])
})
