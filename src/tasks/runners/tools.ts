/** What an agent of the runner `model` can do: look into the folder of its task, and report. */
import type { ModelTool } from '../../models/wire/contract.js'
import type { RunnerJob } from '../record/agent.js'
import type { NewFinding } from '../record/contract.js'
import { confinedTo } from './confined.js'

export interface RunnerTool extends ModelTool {
  /** What goes wrong is told to the model as the result. */
  run(input: Readonly<Record<string, unknown>>): Promise<string>
}

export function runnerTools(job: RunnerJob): readonly RunnerTool[] {
  return job.folder === null ? reports(job) : [...files(job.folder), ...reports(job)]
}

const text = (description: string) => ({ type: 'string', description })
const number = (description: string) => ({ type: 'number', description })

const tool = (
  name: string,
  description: string,
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[],
  run: RunnerTool['run'],
): RunnerTool => ({ name, description, parameters: { type: 'object', properties, required }, run })

function files(folder: string): readonly RunnerTool[] {
  const confined = confinedTo(folder)
  const path = text('relative to the folder of the task')
  return [
    tool('list_files', 'Lists a folder.', { path }, [], (input) => confined.list(wordOf(input.path, '.'))),
    tool('read_file', 'Reads a text file.', { path, from: number('byte to begin at') }, ['path'], (input) =>
      confined.read(wordOf(input.path), countOf(input.from)),
    ),
    tool(
      'search_files',
      'Finds lines that have these words.',
      { words: text('as they stand'), path },
      ['words'],
      (input) => confined.search(wordOf(input.words), wordOf(input.path, '.')),
    ),
  ]
}

function reports(job: RunnerJob): readonly RunnerTool[] {
  const message = text('one or two sentences')
  return [
    tool(
      'report_finding',
      'Reports something worth knowing to whoever gave the task.',
      {
        kind: text('issue, solution, insight or recommendation'),
        severity: text('low, medium, high or critical'),
        message,
      },
      ['kind', 'message'],
      async (input) => {
        await job.finding(input as unknown as NewFinding)
        return 'reported'
      },
    ),
    tool(
      'update_progress',
      'Says how far the work has come.',
      { status: text('a word'), message, percent: number('0 to 100') },
      ['status'],
      async (input) => {
        await job.progress(input as unknown as Parameters<RunnerJob['progress']>[0])
        return 'noted'
      },
    ),
  ]
}

function wordOf(value: unknown, otherwise?: string): string {
  if (typeof value === 'string' && value !== '') return value
  if (otherwise !== undefined) return otherwise
  throw new Error('text is missing')
}

const countOf = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0
