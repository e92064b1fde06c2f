/** An item as plain text. */
import type { CallPart, Item, OutputPart, Part } from '../../message/item.js'
import { isBlank, wellFormed } from '../../message/text.js'
import type { Style } from '../../message/window.js'
import { fileText, isBlankFile, plainFile } from './file.js'
import { reasoningText } from './think.js'

/** The parts that say something, one below the other; empty when none does. */
export function plainText(item: Item, think: Style['think']): string {
  const [only] = item.parts
  if (item.parts.length === 1 && only?.type === 'text') return isBlank(only.text) ? '' : wellFormed(only.text)
  return item.parts
    .filter((part) => !isSilent(part, think))
    .map(plainPart)
    .join('\n')
}

/** True when the part leaves no trace in plain text. */
export function isSilent(part: Part, think: Style['think']): boolean {
  switch (part.type) {
    case 'text':
      return isBlank(part.text)
    case 'think':
      return think === 'drop' || isBlank(part.text)
    case 'file':
      return isBlankFile(part)
    case 'call':
      return false
  }
}

/** The text of what a tool gave back. */
export function outputText(output: readonly OutputPart[]): string {
  return output
    .filter((part) => !isSilent(part, 'drop'))
    .map((part) => (part.type === 'text' ? wellFormed(part.text) : fileText(part)))
    .join('\n')
}

function plainPart(part: Part): string {
  switch (part.type) {
    case 'text':
      return wellFormed(part.text)
    case 'think':
      return wellFormed(reasoningText(part))
    case 'file':
      return plainFile(part)
    case 'call':
      return plainCall(part)
  }
}

/** A call and what came of it, in words. */
export function plainCall(call: CallPart): string {
  const used = `[Used tool: ${wellFormed(call.name)}]`
  const result = call.outcome.state === 'pending' ? '' : outputText(call.outcome.output)
  return result ? `${used}\n[Tool result: ${result}]` : used
}
