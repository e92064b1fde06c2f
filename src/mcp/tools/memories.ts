/** Memories for agents. */
import { addMemory, correctMemory, deleteMemory, listMemories } from '../../operations/memories.js'
import { exposeTool } from '../kit/expose.js'

export const memoryList = exposeTool('memory_list', listMemories, {
  title: 'List memories',
  description: 'What is known beyond one conversation, newest first.',
  text: ({ items }) =>
    items.map(({ id, kind, text }) => `${id} · ${kind} · ${text}`).join('\n') || 'Nothing is known yet.',
})

export const memoryWrite = exposeTool('memory_write', addMemory, {
  title: 'Remember something',
  description:
    'One short fact for later conversations. profile: who someone is; semantic: a fact; episodic: what happened; derived: what follows from it (the last two with the message they rest on). People can see and delete it.',
  text: ({ id, kind, text }) => `Remembered as ${id} (${kind}): ${text}`,
})

export const memoryCorrect = exposeTool('memory_correct', correctMemory, {
  title: 'Correct a memory',
  text: ({ id, kind, text }) => `${id} now says (${kind}): ${text}`,
})

export const memoryDelete = exposeTool('memory_delete', deleteMemory, {
  title: 'Forget something',
  description: 'Deletes one memory; no window has it again.',
  text: () => 'Forgotten.',
})
