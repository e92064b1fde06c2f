/** `get_real_task_status`: where a task is, who works on it, what they found. */
import { z } from 'zod'
import { getTask } from '../../operations/tasks.js'
import { exposeTool } from '../kit/expose.js'
import { clipText, fitItems, sized } from '../kit/room.js'
import { uris } from '../kit/uris.js'
import { briefAgent, briefEvent, briefTask, eventLine } from './shapes.js'

type Looked = z.output<typeof getTask.output>

/** Bytes of each of the parts. */
const share = 16_000

const whole = (uri: string): string => `the resource ${uri} has all of it`

export const taskStatus = exposeTool('get_real_task_status', getTask, {
  title: 'Look at a task',
  description:
    'State, agents, findings and progress of a task. include: context (as stored), prompt (what every agent reads), ancestors (histories of the parent tasks), live (the conversation as it is now).',
  show: {
    output: getTask.output.extend({
      left_out: z.int().describe('Agents and events that did not fit into this answer'),
    }),
    from: (looked) => {
      const { task, agents, recent, context, prompt, live, ...rest } = looked
      const cut = (text: string): string => clipText(text, share, whole(uris.prompt(task.task_id))).text
      const shown = fitItems(agents.map(briefAgent), 6_000)
      const events = fitItems(
        recent.map((event) => briefEvent(event, 1_000)),
        8_000,
      )
      return {
        ...rest,
        task: briefTask(task),
        agents: [...shown.items],
        recent: [...events.items],
        left_out: shown.left + events.left,
        ...('context' in looked && { context: sized(context, share, whole(uris.context(task.task_id))) }),
        ...(prompt && { prompt: { ...prompt, text: cut(prompt.text) } }),
        ...(live !== undefined && { live: live && { ...live, text: cut(live.text) } }),
      }
    },
  },
  text: (looked) => [textOf(looked), ...partsOf(looked)].join('\n'),
  links: (_, { task_id }) => [{ uri: uris.timeline(task_id), name: 'progress-timeline' }],
})

function textOf({ task, agents, finding_severities, recent, children }: Looked): string {
  const findings = Object.entries(finding_severities).map(([severity, count]) => `${count} ${severity}`)
  return [
    `Task ${task.task_id} (${task.priority}) is ${task.status}${task.note ? `: ${clipText(task.note, 500).text}` : ''}.`,
    `${task.conversation_messages_count} messages of history · ${task.counts.agents} agents · ${children} children · findings: ${findings.join(', ') || 'none'}`,
    ...agents
      .slice(-20)
      .map(
        ({ agent_id, runner, status, output_bytes }) =>
          `Agent ${agent_id} (${runner}): ${status}, ${output_bytes} bytes printed`,
      ),
    ...recent.map(eventLine),
  ].join('\n')
}

function* partsOf(looked: Looked): Generator<string> {
  const { context, prompt, ancestors, live } = looked
  if ('context' in looked) yield `\nContext: ${typeof context === 'string' ? context : JSON.stringify(context)}`
  if (prompt) yield `\nPrompt (${prompt.tokens} tokens):\n${prompt.text}`
  if (ancestors) yield ancestors.text === '' ? '\nNo history above this task.' : `\n${ancestors.text}`
  if (live === null) yield '\nThe history was given inline: there is no conversation to follow.'
  if (live) yield `\nThe conversation ${live.moved ? 'has moved on' : 'is as it was'}:\n${live.text}`
}
