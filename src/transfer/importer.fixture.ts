/** A process of its own that imports: `path file`. Says when it begins, and the id of each conversation once it is stored. */
import { envOf } from '../engine/writing.js'
import { sqliteStore } from '../store/sqlite/store.js'
import { importFrom } from './import.js'

const [, , path = '', file = ''] = process.argv
const store = await sqliteStore(file)
process.stdout.write('begins\n')
for await (const event of importFrom({ store, workspace: 'default', env: envOf() }, { path }))
  process.stdout.write(event.type === 'conversation' ? `${event.id}\n` : `added ${event.messages.added}\n`)
await store.close()
