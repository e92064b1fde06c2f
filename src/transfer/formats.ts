/** Every format that can be read, one file each. */
import { aistudio } from './in/aistudio.js'
import { chatgpt } from './in/chatgpt.js'
import { claudeAi } from './in/claude-ai.js'
import { claudeCode } from './in/claude-code.js'
import { codex } from './in/codex.js'
import { geminiCli } from './in/gemini-cli.js'
import { geminiTakeout } from './in/gemini-takeout.js'
import { librechat } from './in/librechat.js'
import { markdown } from './in/markdown.js'
import { openaiFt } from './in/openai-ft.js'
import { opencode } from './in/opencode.js'
import { openWebui } from './in/openwebui.js'
import { sharegpt } from './in/sharegpt.js'
import { throughline } from './in/throughline.js'
import type { Format, FormatName } from './kit/contract.js'

/** In the order in which they are asked: the first that claims a value has the file. */
export const formats: readonly Format[] = [
  ...[throughline, codex, claudeCode, chatgpt, claudeAi, openWebui, geminiTakeout, aistudio, geminiCli],
  ...[opencode, librechat, openaiFt, sharegpt, markdown],
]

export const findFormat = (name: FormatName): Format | undefined => formats.find((format) => format.name === name)
