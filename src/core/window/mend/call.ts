/** A call with its result, made legal. */
import type { CallPart, Outcome, OutputPart } from '../../message/item.js'
import { text } from '../../message/item.js'
import type { Target } from '../../message/target.js'
import { isBlank, isWellFormed, wellFormed } from '../../message/text.js'
import { carriesOutputFile, fileText, isBlankFile } from './file.js'
import type { Job } from './plain.js'
import { isPlainObject } from './plain.js'
import { sound } from './well-formed.js'

/** Stands for the result of a call that never got one. */
export const noResult = '[no result: the call was interrupted]'
export const noOutput = '(no output)'

export function mendCall(call: CallPart, at: number, job: Job): CallPart {
  const id = job.ids.take(call.id)
  if (id !== call.id) job.note(at, 'id_remapped', 'changed')
  const name = mendName(call.name, job.target)
  if (name !== call.name) job.note(at, 'name_fixed', 'changed')
  const input = mendInput(call.input, at, job)
  const outcome = mendOutcome(call.outcome, at, job)
  if (id === call.id && name === call.name && input === call.input && outcome === call.outcome) return call
  return { ...call, id, name, input, outcome }
}

export function mendName(name: string, target: Target): string {
  const legal = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64)
  if (/^_*$/.test(legal) && legal !== name) return 'tool'
  // Google's names begin with a letter or an underscore
  return target === 'google' && !/^[a-zA-Z_]/.test(legal) ? `_${legal}`.slice(0, 64) : legal || 'tool'
}

function mendInput(input: unknown, at: number, job: Job): unknown {
  const fixed = sound(input)
  if (fixed !== input) job.note(at, 'text_fixed', 'changed')
  if (isPlainObject(fixed)) return fixed
  job.note(at, 'input_wrapped', 'changed')
  return { value: fixed ?? null }
}

function mendOutcome(outcome: Outcome, at: number, job: Job): Outcome {
  if (outcome.state === 'pending') {
    job.note(at, 'closed', 'added')
    return { state: 'error', output: [text(noResult)] }
  }
  let changed = false
  const output = outcome.output.flatMap((part): readonly OutputPart[] => {
    const mended = mendOutput(part, at, job)
    changed ||= mended !== part
    return mended ? [mended] : []
  })
  if (output.length > 0) return changed ? { ...outcome, output } : outcome
  job.note(at, 'empty', 'changed')
  return { ...outcome, output: [text(noOutput)] }
}

function mendOutput(part: OutputPart, at: number, job: Job): OutputPart | undefined {
  if (part.type === 'text') {
    if (isBlank(part.text)) return undefined
    if (isWellFormed(part.text)) return part
    job.note(at, 'text_fixed', 'changed')
    return text(wellFormed(part.text))
  }
  if (isBlankFile(part)) return undefined
  if (carriesOutputFile(job.target, part, job.traits.images)) return part
  if (part.source.kind !== 'text') job.note(at, 'file_described', 'changed')
  return text(fileText(part))
}
