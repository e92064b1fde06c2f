/** What agents report: how far they are, and what they found. */
import { z } from 'zod'
import * as operations from '../../operations/tasks.js'
import { exposeTool } from '../kit/expose.js'
import { uris } from '../kit/uris.js'
import { briefEvent, eventLine } from './shapes.js'

type Reported = z.output<typeof operations.reportFinding.output>

const show = {
  output: z.object({ success: z.literal(true), ...operations.reportFinding.output.shape }),
  from: ({ entry, task_status }: Reported) => ({ success: true, entry: briefEvent(entry, 1_000), task_status }),
}
const text = ({ entry }: Reported): string => eventLine(entry)
const links = (_: Reported, { task_id }: { readonly task_id: string }) => [
  { uri: uris.timeline(task_id), name: 'progress-timeline' },
]

export const updateProgress = exposeTool('update_agent_progress', operations.reportProgress, {
  title: 'Report progress',
  description:
    'Reports how far an agent is. task_state also moves the task: blocked, active again, completed with a result, failed or cancelled.',
  show,
  text,
  links,
})

export const reportFindingTool = exposeTool('report_agent_finding', operations.reportFinding, {
  title: 'Report a finding',
  description: 'Reports something an agent found, for the orchestrator to read in get_real_task_status.',
  show,
  text,
  links,
})
