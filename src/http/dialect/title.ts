/** A conversation has its title before its first answer: no model is asked for one. */

import { decode } from '../../core/message/dialects/decode.js'
import { HistoryError } from '../../core/message/issue.js'
import { titleOf } from '../../runs/title.js'
import type { Context } from '../kit/context.js'

type At = Pick<Context, 'frame' | 'workspace'>

/** Makes the conversation where there is none. */
export async function ensure(at: At, conversation: string, messages: readonly unknown[]): Promise<void> {
  const { frame, workspace } = at
  if (await frame.store.get(workspace, conversation)) return
  try {
    await frame.store.create(workspace, { id: conversation, title: titleIn(messages), at: frame.env.now() })
  } catch (error) {
    if (!HistoryError.is(error) || error.code !== 'id_conflict') throw error
  }
}

/** Gives it a title where it has none. */
export async function giveTitle(at: At, conversation: string, messages: readonly unknown[]): Promise<void> {
  await ensure(at, conversation, messages)
  const { frame, workspace } = at
  const title = titleIn(messages)
  if (title === '' || (await frame.store.get(workspace, conversation))?.title !== '') return
  await frame.store.update(workspace, conversation, { title, at: frame.env.now() })
}

/** The first words of the first user. */
function titleIn(messages: readonly unknown[]): string {
  for (const message of messages) {
    const said = decode(unwrapped(message))
    if (!said.ok || said.role !== 'user') continue
    const text = said.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join(' ')
    if (text.trim() !== '') return titleOf(text)
  }
  return ''
}

const unwrapped = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'kind' in message && 'message' in message
    ? message.message
    : message
