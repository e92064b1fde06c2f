/**
 * A program of someone who has the Claude Agent SDK and this package: two questions of one conversation. The SDK starts
 * a program of its own, so that this one is run only where nothing but loopback can be reached.
 */
import { writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createAgentQuery } from 'throughline/claude-agent-sdk'
import { openHistory } from 'throughline/engine'
import { sqliteStore } from 'throughline/sqlite'

const [folder, provider] = process.argv.slice(2)
const beyond = Object.values(networkInterfaces())
  .flat()
  .filter(({ internal }) => !internal)
if (beyond.length > 0) throw new Error('this runs only where the network is loopback and nothing else')

writeFileSync(join(folder, 'client.ts'), `${'export const line = 1\n'.repeat(60)}export const last = 'the end'\n`)
const { openProvider } = await import(pathToFileURL(provider).href)
const model = openProvider({
  steps: [
    { call: 'cat client.ts' },
    { say: 'client.ts and streaming.ts handle agent queries.' },
    { say: 'By buildPromptWithHistory() in history.ts.' },
  ],
})
const store = await sqliteStore(join(folder, 'chat.db'))
const conversation = await openHistory({ store, conversation: 'dashboard' })
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${await model.listening()}`,
  ANTHROPIC_API_KEY: 'test-key',
  IS_SANDBOX: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
}
const options = { cwd: folder, env, allowedTools: ['Bash'], includePartialMessages: true }
const told = []
for (const prompt of ['What files handle agent queries?', 'How is history integrated?'])
  for await (const message of createAgentQuery({ conversation, prompt, options })) told.push(message)
const rounds = model.seen.filter(({ side }) => side === false)
process.stdout.write(
  JSON.stringify({
    told,
    log: (await conversation.path()).map(({ body, text }) => ({ body, text })),
    asked: rounds.map(({ body }) => JSON.parse(body).messages),
    refused: model.seen.filter(({ status }) => status >= 400),
  }),
)
await store.close()
await model.close()
