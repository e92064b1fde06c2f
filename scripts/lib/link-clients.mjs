// The examples in examples/clients use the clients that the tests use: one link, made where it is missing.
import { existsSync, lstatSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

export function linkClients() {
  const clients = join(root, 'test', 'clients', 'node_modules')
  if (!existsSync(clients)) throw new Error('The clients are not installed: npm ci --prefix test/clients')
  const link = join(root, 'examples', 'clients', 'node_modules')
  if (!lstatSync(link, { throwIfNoEntry: false }))
    symlinkSync(join('..', '..', 'test', 'clients', 'node_modules'), link, 'junction')
}
