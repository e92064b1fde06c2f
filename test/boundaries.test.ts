import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { arrows, imports, violations } from './lib/boundaries.js'
import { folderCycles } from './lib/cycles.js'
import { blank } from './lib/scan.js'
import { isFixture, isTest, readTree, root } from './lib/tree.js'

describe('the sources', () => {
  const tree = readTree('src', (path) => path.endsWith('.ts') && !isTest(path) && !isFixture(path))

  test('keep to the arrows between rooms, and core keeps to itself', () => {
    expect(violations(tree, doors())).toEqual([])
  })

  test('live in rooms that the arrows know', () => {
    const rooms = new Set(Object.keys(tree).map((path) => path.split('/')[1]?.replace(/\.ts$/, '') ?? ''))
    expect([...rooms].filter((room) => !(room in arrows))).toEqual([])
  })

  test('have no two folders that need each other', () => {
    expect(folderCycles(tree)).toEqual([])
  })

  test('keep the judge of requests apart: it imports its own folder and Node alone', () => {
    const found = Object.entries(readTree('src/testing/judge', (path) => path.endsWith('.ts') && !isTest(path)))
    expect(found.length).toBeGreaterThan(0)
    expect(found.flatMap(([path, source]) => strangers(source).map((name) => `${path} imports ${name}`))).toEqual([])
  })
})

describe('the checker', () => {
  const faults = (path: string, source: string, doors: string[] = []) => violations({ [path]: source }, doors)

  test.each([
    ['src/core/fit.ts', `import { open } from '../store/index.js'`, 'imports store'],
    ['src/core/fit.ts', `import type { Store } from '../store/store.js'`, 'imports store'],
    ['src/core/fit.ts', `export { open } from '../engine/open.js'`, 'imports engine'],
    ['src/index.ts', `export { validate } from './recipes/index.js'`, 'imports recipes'],
    ['src/recipes/a.ts', `import { x } from '../engine/x.js'`, 'imports engine'],
    ['src/store/a.ts', `import { x } from '../recall/x.js'`, 'imports recall'],
    ['src/mcp/a.ts', `import { x } from '../http/x.js'`, 'imports http'],
    ['src/client/a.ts', `const x = await import('../engine/x.js')`, 'imports engine'],
    ['src/core/a.ts', `import { b } from './index.js'`, 'its own room'],
    ['src/core/stages/a.ts', `import { b } from '../index.js'`, 'its own room'],
    ['src/core/a.ts', `import { x } from '../../test/x.js'`, 'outside src/'],
    ['src/core/a.ts', `import { x } from './x.fixture.js'`, 'what only tests may'],
    ['src/cellar/a.ts', `import { x } from '../core/x.js'`, 'not a room'],
    ['src/core/a.ts', `import { readFile } from 'node:fs/promises'`, 'core may not'],
    ['src/core/a.ts', `import { join } from 'path'`, 'core may not'],
    ['src/core/a.ts', `import 'node:process'`, 'core may not'],
    ['src/core/a.ts', `import pc from 'picocolors'`, 'core may not'],
    ['src/core/a.ts', `import { encode } from 'gpt-tokenizer/encoding/o200k_base'`, 'not on demand'],
    ['src/core/a.ts', 'const at = Date.now()', 'uses Date.now'],
    ['src/core/a.ts', 'const at = new Date().toISOString()', 'uses new Date()'],
    ['src/core/a.ts', 'const at = new Date', 'uses new Date()'],
    ['src/core/a.ts', 'const at = Date()', 'uses Date()'],
    ['src/core/a.ts', 'const id = Math.random()', 'uses Math.random'],
    ['src/core/a.ts', 'const id = crypto.randomUUID()', 'uses crypto'],
    ['src/core/a.ts', 'const t = performance.now()', 'uses performance'],
    ['src/core/a.ts', 'const home = process.env.HOME', 'uses process'],
    ['src/core/a.ts', 'console.log(1)', 'uses console'],
    ['src/core/a.ts', "const line = `at ${Date.now()} o'clock`", 'uses Date.now'],
  ])('catches in %s: %s', (path, source, fault) => {
    expect(faults(path, source).join()).toContain(fault)
  })

  test('catches a judge that borrows from the code it judges', () => {
    expect(strangers(`import { check } from '../../core/check.js'\nimport { a } from './a.js'`)).toHaveLength(1)
  })

  test.each([
    ['export *', `export * from './core/assemble.js'`],
    ['export * as', `export * as core from './core/assemble.js'`],
    ['a default export', 'export default 1'],
    ['a default export by another name', `export { a as default } from './core/a.js'`],
  ])('catches a door with %s', (_, source) => {
    expect(faults('src/index.ts', source, ['src/index.ts'])).toHaveLength(1)
  })

  test.each([
    ['src/core/a.ts', `import { b } from './b.js'\nimport type { C } from './count/c.js'`],
    ['src/core/a.ts', `const table = await import('gpt-tokenizer/encoding/o200k_base')`],
    ['src/core/a.ts', `import type { Encoding } from 'gpt-tokenizer'`],
    ['src/core/a.ts', `// Date.now() is not used here: new Date()\nconst x = 'Math.random'`],
    ['src/core/a.ts', 'const x = `console.log` + /process.env[\'"]/.source\nconst y = 1 / 2'],
    ['src/core/a.ts', 'const at = new Date(text)\nnew DateFormat()\nstage.process.run()\nconst process = 1'],
    ['src/core/a.ts', '/** import { x } from "node:fs" */\nexport const x = 1'],
    [
      'src/engine/a.ts',
      `import { readFile } from 'node:fs/promises'\nimport { x } from '../store/index.js'\nDate.now()`,
    ],
    ['src/cli/a.ts', `import { x } from '../transfer/x.js'\nimport { y } from '../core/y.js'`],
    ['src/index.ts', `export { assemble } from './core/assemble.js'\nexport type { Item } from './core/item.js'`],
  ])('accepts in %s: %s', (path, source) => {
    expect(faults(path, source, ['src/index.ts'])).toEqual([])
  })

  test('reads every form of import with its kind', () => {
    const source = `
      import a, { b } from './a.js'
      import type { C } from "./c.js"
      export interface D { from: 'nowhere' }
      export { e } from './e.js'
      export type { F } from './f.js'
      import './g.js'
      const h = await import('./h.js')
    `
    expect(
      imports(source)
        .map(({ specifier, kind }) => `${kind} ${specifier}`)
        .sort(),
    ).toEqual(
      ['static ./a.js', 'type ./c.js', 'static ./e.js', 'type ./f.js', 'static ./g.js', 'dynamic ./h.js'].sort(),
    )
  })

  test('finds folders that need each other, also around a corner', () => {
    const tree = {
      'src/a/one.ts': `import { x } from './b/two.js'`,
      'src/a/b/two.ts': `export type { x } from '../c/three.js'`,
      'src/a/c/three.ts': `const x = await import('../four.js')`,
      'src/a/four.ts': `import './one.js'`,
    }
    expect(folderCycles(tree)).toEqual(['src/a -> src/a/b -> src/a/c -> src/a'])
    expect(folderCycles({ ...tree, 'src/a/c/three.ts': '' })).toEqual([])
  })

  test('blanks comments, strings, templates and regular expressions and moves nothing', () => {
    const source = "a /* b */ 'c' `d${e}f${`g${h}`}` = /i'/ // j\nk"
    expect(blank(source)).toBe("a         ' ' ` ${e} ${` ${h}`}` = /  /     \nk")
  })
})

/** What a file imports that is neither beside it nor part of Node. */
function strangers(source: string): string[] {
  return imports(source).flatMap(({ specifier }) => (/^(\.\/[^/]+|node:.+)$/.test(specifier) ? [] : [specifier]))
}

/** The sources behind the doors of package.json. */
function doors(): string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>
  }
  return Object.values(exports).flatMap((target) =>
    typeof target === 'object' && target !== null && 'default' in target
      ? [
          String(target.default)
            .replace(/^\.\/dist\//, 'src/')
            .replace(/\.js$/, '.ts'),
        ]
      : [],
  )
}
