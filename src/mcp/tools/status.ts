/** `get_real_task_status`: where a task stands, who works on it, what they found. */
import { z } from 'zod'
import type { TaskStatus, Tasks } from '../../tasks/contract.js'
import { missing } from '../refusal.js'
import { clip, fit, sized } from '../room.js'
import { tool } from '../tool.js'
import { uris } from '../uris.js'
import { agentOf, agentShape, eventLine, eventOf, eventShape, taskId, taskOf, taskShape } from './shapes.js'

const parts = ['context', 'prompt', 'ancestors', 'live'] as const
type Part = (typeof parts)[number]

const shape = {
  task: taskShape,
  agents: z.array(agentShape),
  agent_states: z.record(z.string(), z.int()),
  finding_severities: z.record(z.string(), z.int()),
  children: z.int(),
  recent: z.array(eventShape).describe('The newest first'),
  left_out: z.int().describe('Agents and events that did not fit into this answer'),
  context: z.unknown().optional().describe('task_context as it is stored'),
  prompt: z.object({ text: z.string(), tokens: z.int(), excess: z.int() }).optional(),
  ancestors: z.object({ text: z.string(), tokens: z.int() }).optional(),
  live: z.object({ moved: z.boolean(), text: z.string() }).nullable().optional(),
}

export const taskStatus = tool({
  name: 'get_real_task_status',
  title: 'Look at a task',
  description:
    'State, agents, findings and progress of a task. include: context (as stored), prompt (what every agent reads), ancestors (histories of the parent tasks), live (the conversation as it is now).',
  scope: 'read',
  hints: { reads: true },
  input: z.strictObject({
    task_id: taskId,
    include: z
      .union([z.array(z.enum(parts)).max(parts.length), z.enum(parts)])
      .optional()
      .describe('More about it'),
  }),
  output: z.object(shape),
  run: async ({ task_id, include = [] }, { tasks }) => {
    const status = await tasks.status(task_id)
    const more = await Promise.all([...new Set([include].flat())].map((part) => looked(tasks, task_id, part)))
    const beside = Object.assign({}, ...more.map(({ data }) => data)) as object
    const agents = fit(status.agents.map(agentOf), 6_000)
    const recent = fit(
      status.recent.map((entry) => eventOf(entry, 1_000)),
      8_000,
    )
    return {
      data: {
        task: taskOf(status.task),
        agents: agents.items,
        agent_states: status.states,
        finding_severities: status.severities,
        children: status.children,
        recent: recent.items,
        left_out: agents.left + recent.left,
        ...beside,
      },
      text: [textOf(status), ...more.map(({ text }) => text)].join('\n'),
      links: [{ uri: uris.timeline(task_id), name: 'progress-timeline' }],
    }
  },
})

/** Bytes of each of the parts. */
const share = 16_000

const whole = (uri: string): string => `the resource ${uri} has all of it`

async function looked(tasks: Tasks, id: string, part: Part): Promise<{ readonly data: object; readonly text: string }> {
  const cut = (text: string): string => clip(text, share, whole(uris.prompt(id))).text
  if (part === 'prompt') {
    const { text, tokens, excess } = await tasks.prompt(id)
    return { data: { prompt: { text: cut(text), tokens, excess } }, text: `\nPrompt (${tokens} tokens):\n${cut(text)}` }
  }
  if (part === 'ancestors') {
    const { text, tokens } = await tasks.ancestors(id, { tokens: 4_000 })
    return { data: { ancestors: { text, tokens } }, text: text === '' ? '\nNo history above this task.' : `\n${text}` }
  }
  if (part === 'live') {
    const live = await tasks.live(id)
    if (!live)
      return { data: { live: null }, text: '\nThe history was given inline: there is no conversation to follow.' }
    const text = cut(live.section)
    return {
      data: { live: { moved: live.moved, text } },
      text: `\nThe conversation ${live.moved ? 'has moved on' : 'is as it was'}:\n${text}`,
    }
  }
  const detail = await tasks.get(id)
  if (!detail) throw missing('task_id')
  const context = sized(detail.task_context, share, whole(uris.context(id)))
  return { data: { context }, text: `\nContext: ${typeof context === 'string' ? context : JSON.stringify(context)}` }
}

function textOf({ task, agents, severities, recent, children }: TaskStatus): string {
  const findings = Object.entries(severities).map(([severity, count]) => `${count} ${severity}`)
  return [
    `Task ${task.id} (${task.priority}) is ${task.state}${task.note ? `: ${clip(task.note, 500).text}` : ''}.`,
    `${task.conversation_messages_count} messages of history · ${agents.length} agents · ${children} children · findings: ${findings.join(', ') || 'none'}`,
    ...agents
      .slice(-20)
      .map(({ id, runner, state, outputBytes }) => `Agent ${id} (${runner}): ${state}, ${outputBytes} bytes printed`),
    ...recent.map(eventLine),
  ].join('\n')
}
