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
