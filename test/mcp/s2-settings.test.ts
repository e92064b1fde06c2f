import { expect, test } from 'vitest'
import { policiesOf } from '../../src/config/geometry.js'
import { loadConfig } from '../../src/config/load.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { openTasks } from '../../src/tasks/tasks.js'

test('specification 2 is heard by its six constants, wherever tasks are opened from the settings [S2-35] [S2-F1] [C-8]', async () => {
  const { config } = loadConfig({
    env: {
      CONVERSATION_HISTORY_MAX_MESSAGES: '3',
      CONVERSATION_HISTORY_MAX_USER_CHARS: '40',
      CONVERSATION_HISTORY_MAX_ASSISTANT_CHARS: '60',
      CONVERSATION_HISTORY_MAX_TOTAL_SIZE: '5000',
      CONVERSATION_HISTORY_MIN_KEEP: '2',
      CONVERSATION_HISTORY_VALID_ROLES: 'user,assistant',
      THROUGHLINE_HANDOFF: 'handoff-assistant-first',
    },
  })
  const policy = policiesOf(config).presets['handoff-assistant-first']
  expect(policy).toMatchObject({
    intake: { last: 3, hard: { user: 80, assistant: 120 } },
    fit: { chars: 5_000, floor: 2 },
  })
  const tasks = openTasks({ store: memoryStore(), handoff: config.handoff, policies: policiesOf(config).presets })
  const said = (role: string, content: string) => ({ role, content, timestamp: '2026-11-16T10:00:00Z' })
  const { task } = await tasks.register({
    description: 'Go on',
    conversation_history: ['one', 'two', 'three', 'x'.repeat(50)].map((text, at) =>
      said(at % 2 ? 'assistant' : 'user', text),
    ),
  })
  expect(task).toMatchObject({ preset: 'handoff-assistant-first', conversation_messages_count: 3 })
})

test('the history of specification 2 has no token budget [S2-14] [S2-27] [C-21]', async () => {
  const tasks = openTasks({ store: memoryStore() })
  const conversation_history = Array.from({ length: 10 }, (_, at) => ({
    role: at % 2 ? 'assistant' : 'user',
    content: at % 2 ? `${at} ${'words '.repeat(240)}` : `${at}`,
    timestamp: '2026-11-16T10:00:00Z',
  }))
  const { task, receipt } = await tasks.register({
    description: 'Go on',
    preset: 'handoff-assistant-first',
    tokens: 500,
    conversation_history,
  })
  expect(task.conversation_messages_count).toBe(10)
  expect(receipt?.budget.tokens).toBeNull()
})
