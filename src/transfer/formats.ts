/** Every format that can be read. */

import { chatgpt } from './in/chatgpt.js'
import { claudeCode } from './in/claude-code.js'
import { throughline } from './in/throughline.js'
import type { Format, FormatName } from './kit/contract.js'

/** In the order in which they are asked. */
export const formats: readonly Format[] = [throughline, claudeCode, chatgpt]

export const findFormat = (name: FormatName): Format | undefined => formats.find((format) => format.name === name)
