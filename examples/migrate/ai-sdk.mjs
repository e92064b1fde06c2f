// node ai-sdk.mjs .chats chat.db: the chats that `saveChat` of the AI SDK's examples wrote, one file of UI messages each.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { messageStore } from 'throughline/ai-sdk'
import { moveTo } from './move.mjs'

const [folder, file] = process.argv.slice(2)
const to = await moveTo(file)
const chats = messageStore({ store: to.store })
for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
  const messages = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  to.done.messages += (await chats.save(basename(name, '.json'), messages)).added
  to.done.conversations++
}
await to.end()
