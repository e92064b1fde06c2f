/** LangGraph's own suite for checkpointers. */
import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkpointer } from '../../src/adapters/langchain/checkpointer.js'
import { freshWorkspace, memoryStage, postgresStage, sqliteStage } from './stores.js'

/** Cases that fail, and why. Each must go on failing: one that no longer does is to be taken off. */
const failing: Readonly<Record<string, string>> = {}

const judged = new Proxy(it, {
  apply(run, _, [title, ...rest]: [string, ...never[]]) {
    const reason = failing[title]
    return reason === undefined ? run(title, ...rest) : run.fails(`${title} (fails: ${reason})`, ...rest)
  },
})

// the suite takes its verbs from the global scope
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it: judged })

const postgres = await postgresStage()
for (const stage of [memoryStage(), sqliteStage(), ...(postgres ? [postgres] : [])]) {
  const store = await stage.open()
  const initializer = {
    checkpointerName: `@langchain/langgraph-checkpoint-validation on ${stage.name}`,
    createCheckpointer: () => checkpointer({ store, workspace: freshWorkspace() }),
  }
  afterAll(() => stage.close())
  validate(initializer)
  deltaChannelHistoryTests(initializer)
}
