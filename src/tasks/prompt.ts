/** What an agent reads: the task and its context, the same for all of them, and behind it what is for one alone. */
import { type TaskContext, taskFrame } from '../recipes/task-prompt.js'
import { counterOf, sectionStyle } from './history/handover.js'
import { imagesOf } from './history/images.js'
import type { HandoffPreset, Prompt, PromptRequest, Task } from './record/contract.js'

export interface Briefing {
  readonly task: Pick<Task, 'id' | 'description' | 'priority' | 'preset'>
  readonly context: TaskContext
  /** The section of the history. */
  readonly section: string
  readonly tokens: number
}

export function promptOf(briefing: Briefing, request: PromptRequest = {}): Prompt {
  const { task, section } = briefing
  const shared = sharedOf(briefing)
  const text = shared + ownOf(task.id, request)
  const count = counterOf(task.preset)
  const images = imagesOf(briefing.context.conversation_history ?? {})
  return { text, history: section, images, tokens: count(text), excess: Math.max(0, count(shared) - briefing.tokens) }
}

/** Begins with the same bytes for every agent, so that a provider reads them once. */
function sharedOf({ task, context, section }: Briefing): string {
  return `TASK (${task.priority}): ${task.description}\n${taskFrame(context, section, sectionStyle(task.preset))}`
}

function ownOf(task: string, { agent, prompt }: PromptRequest): string {
  const words = prompt === undefined || prompt.trim() === '' ? '' : `\n${prompt}\n`
  const who = agent === undefined ? '' : `\nYou are agent ${agent} of task ${task}.\n`
  return words + who
}

/** The task that an agent with this prompt works on; null for what is no prompt of an agent. */
export const taskInPrompt = (text: string): string | null =>
  /^You are agent (\S+)\.\d+ of task \1\.$/m.exec(text)?.[1] ?? null

/** Tokens of everything but the history. */
export function restOf(briefing: Omit<Briefing, 'section' | 'tokens'>, preset: HandoffPreset): number {
  return counterOf(preset)(sharedOf({ ...briefing, section: '', tokens: 0 }))
}
