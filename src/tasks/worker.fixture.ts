/** A process of its own that works on tasks: `file report <task> <name> <count>`, or `file deploy <exit | stay>`. */
import { sqliteStore } from '../store/sqlite/store.js'
import { sh } from './tasks.fixture.js'
import { openTasks } from './tasks.js'

const [, , file = '', act = '', ...words] = process.argv
const store = await sqliteStore(file)
const tasks = openTasks({
  store,
  workspace: 'w',
  runners: { agent: sh('setsid sleep 1000 & sleep 1000'), bare: sh('exec env -i sleep 1000') },
})

async function report(task: string, name: string, count: number): Promise<void> {
  const { task: own } = await tasks.register({ description: `made by ${name}` })
  process.stdout.write(`${own.id}\n`)
  for (let at = 0; at < count; at++)
    await tasks.finding(task, { agent: name, kind: 'insight', message: `${name} ${at}` })
  await store.close()
}

/** Ends without a word to its agent. */
async function deploy(how: string, runner = 'agent'): Promise<void> {
  const { task } = await tasks.register({ description: 'forgotten' })
  const { agent } = await tasks.deploy(task.id, { runner })
  while (!(await tasks.agent(agent.id))?.pid) await new Promise((resolve) => setTimeout(resolve, 10))
  process.stdout.write(`${agent.id}\n`)
  if (how === 'exit') setTimeout(() => process.exit(0), 200)
}

if (act === 'report') await report(words[0] ?? '', words[1] ?? '', Number(words[2]))
else await deploy(words[0] ?? '', words[1])
