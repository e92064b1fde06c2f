/** Tasks as specification 0 makes them, through MCP, and everything that can be seen of them. */
import { type Data, freshDesk, type OverStdio, overStdio } from './clients.js'

export const description = 'Implement JWT token authentication system'

export interface S0 {
  readonly mcp: OverStdio
  made(conversation_history: unknown, more?: object): Promise<Data>
  refused(conversation_history: unknown): Promise<string>
  read(uri: string): Promise<string>
}

export async function openS0(): Promise<S0> {
  const mcp = await overStdio(freshDesk())
  const read = async (uri: string): Promise<string> => {
    const { contents } = await mcp.client.readResource({ uri })
    return (contents[0] as { text: string }).text
  }
  return {
    mcp,
    read,
    async made(conversation_history, more = {}) {
      const answer = await mcp.call('create_real_task', { description, conversation_history, ...more })
      const status = await mcp.call('get_real_task_status', { task_id: answer.task_id, include: ['context'] })
      const prompt = await read(`task://${answer.task_id}/prompt`)
      const { conversation_history: stored } = JSON.parse(await read(`task://${answer.task_id}/context`))
      return { answer, status, prompt, stored, warnings: answer.warnings }
    },
    refused: (conversation_history) => mcp.refused('create_real_task', { description, conversation_history }),
  }
}
