/** Ids for the arguments of prompts and resources, as they are typed. */
import type { CompleteRequestParams } from '@modelcontextprotocol/server'
import type { McpContext } from './kit/context.js'

const most = 100

export async function complete({ ref, argument }: CompleteRequestParams, context: McpContext): Promise<string[]> {
  const { store, workspace, tasks } = context
  const begun = (ids: readonly string[]): string[] => ids.filter((id) => id.startsWith(argument.value)).slice(0, most)
  if (ref.type === 'ref/resource' && ref.uri.startsWith('task://'))
    return begun((await tasks.list({ limit: most })).items.map(({ id }) => id))
  const isConversation =
    ref.type === 'ref/prompt' ? argument.name === 'conversation_id' : ref.uri === 'throughline://conversations/{id}'
  return isConversation ? begun((await store.list(workspace, { limit: most })).items.map(({ id }) => id)) : []
}
