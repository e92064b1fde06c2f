import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { referenceOf } from '../../scripts/lib/reference.mjs'
import { notCalled } from '../../src/cli/call.js'
import { routes } from '../../src/http/routes.js'
import { mcpTools } from '../../src/mcp/tools/tools.js'
import { fieldWords } from '../../src/operations/fields.js'
import { operations } from '../../src/operations/list.js'
import { refusals } from '../../src/operations/refusals.js'
import { root } from '../lib/tree.js'

const listed = { fieldWords, operations, refusals, routes, mcpTools, notCalled }

test('docs/reference/operations.md is what the list says; npm run docs writes it', () => {
  expect(readFileSync(join(root, 'docs/reference/operations.md'), 'utf8')).toBe(referenceOf(listed))
})

test('an operation that the page does not have makes it stale', () => {
  const [first, ...rest] = operations
  expect(first).toBeDefined()
  expect(referenceOf({ ...listed, operations: rest })).not.toBe(referenceOf(listed))
})
