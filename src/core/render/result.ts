/** The result of a call, as mend leaves it. */
import type { CallPart, OutputPart } from '../message/item.js'
import { outputText } from '../window/mend/plain.js'

export const outputOf = (call: CallPart): readonly OutputPart[] =>
  call.outcome.state === 'pending' ? [] : call.outcome.output

export const resultText = (call: CallPart): string => outputText(outputOf(call))

export const isError = (call: CallPart): boolean => call.outcome.state === 'error'
