/** What agents report: how far they are, and what they found. */
import { z } from 'zod'
import type { Tasks, TimelineEntry } from '../../tasks/contract.js'
import { type Told, tool } from '../tool.js'
import { uris } from '../uris.js'
import { eventLine, eventOf, eventShape, taskId } from './shapes.js'

const reporter = z.string().min(1).max(200).describe('Who reports; any name for agents from elsewhere')

const reported = z.object({ success: z.literal(true), entry: eventShape, task_status: z.string() })

export const updateProgress = tool({
  name: 'update_agent_progress',
  title: 'Report progress',
  description:
    'Reports how far an agent is. task_state also moves the task: blocked, active again, completed with a result, failed or cancelled.',
  scope: 'write',
  hints: {},
  input: z.strictObject({
    task_id: taskId,
    agent_id: reporter,
    status: z.string().describe('working, blocked, completed, … in one word'),
    message: z.string(),
    progress: z.number().default(0).describe('Per cent, 0 to 100'),
    task_state: z.enum(['active', 'blocked', 'completed', 'failed', 'cancelled']).optional(),
    result: z.unknown().optional().describe('What came out, with task_state: completed'),
  }),
  output: reported,
  run: async ({ task_id, agent_id, status, message, progress, task_state: to, result }, { tasks }) => {
    const entry = await tasks.progress(task_id, { agent: agent_id, status, message, percent: progress })
    if (to !== undefined)
      await tasks.move(task_id, to === 'completed' ? { to, note: message, result } : { to, note: message })
    return toldOf(tasks, task_id, entry)
  },
})

export const reportFinding = tool({
  name: 'report_agent_finding',
  title: 'Report a finding',
  description: 'Reports something an agent found, for the orchestrator to read in get_real_task_status.',
  scope: 'write',
  hints: {},
  input: z.strictObject({
    task_id: taskId,
    agent_id: reporter,
    finding_type: z.string().describe('issue, solution, insight, recommendation, or a word of your own'),
    severity: z.string().default('medium').describe('low, medium, high or critical'),
    message: z.string(),
    data: z.unknown().optional().describe('Anything more, as JSON or a JSON string'),
  }),
  output: reported,
  run: async ({ task_id, agent_id, finding_type: kind, severity, message, data }, { tasks }) => {
    const finding = { agent: agent_id, kind, severity: severity as 'low', message, data: plain(data) }
    return toldOf(tasks, task_id, await tasks.finding(task_id, finding))
  },
})

async function toldOf(tasks: Tasks, task: string, entry: TimelineEntry): Promise<Told> {
  const found = await tasks.get(task)
  return {
    data: { success: true, entry: eventOf(entry, 1_000), task_status: found?.state ?? 'unknown' },
    text: eventLine(entry),
    links: [{ uri: uris.timeline(task), name: 'progress-timeline' }],
  }
}

/** Models pass objects as JSON or as a string of JSON. */
function plain(data: unknown): unknown {
  if (typeof data !== 'string' || !/^\s*[[{]/.test(data)) return data
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}
