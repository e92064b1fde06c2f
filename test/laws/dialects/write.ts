/** The same conversation, written down as each dialect writes it. */
import { model, ui } from './ai-sdk.js'
import { anthropic } from './anthropic.js'
import { chat } from './chat.js'
import { google } from './google.js'
import { own } from './own.js'
import { responses } from './responses.js'
import { plain, rows } from './rows.js'
import type { Said } from './said.js'
import type { Writer } from './writer.js'

export const dialects = ['chat', 'responses', 'anthropic', 'ui', 'model', 'own', 'google', 'rows', 'plain'] as const
export type DialectName = (typeof dialects)[number]

const writers: Readonly<Record<DialectName, Writer>> = {
  chat,
  responses,
  anthropic,
  ui,
  model,
  own,
  google,
  rows,
  plain,
}

/** The raw messages of a turn. */
export const write = (turn: readonly Said[], dialect: DialectName): readonly unknown[] =>
  turn.flatMap((said) => writers[dialect](said, turn))
