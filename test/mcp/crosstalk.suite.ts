import { afterAll, beforeAll, expect, test } from 'vitest'
import { eras, type McpHost, startMcp } from './clients.js'

/** Two clients who ask ten things at a time, until they have made so many calls. */
export function keepsApart(calls: number): void {
  let host: McpHost
  beforeAll(async () => {
    host = await startMcp({ auth: { mode: 'keys' }, rate: null })
  })
  afterAll(() => host.stop())

  test(`two clients with ${calls} calls between them never get each other's answers [T-72]`, async () => {
    const pair = await Promise.all(
      ['own', 'foreign'].map(async (workspace, at) => {
        const mcp = await host.mcp(await host.key(workspace, 'write'), eras[at])
        const { conversation_id } = await mcp.call('conversation_append', {
          messages: [`words of ${workspace}`],
        })
        return { mcp, workspace, conversation_id }
      }),
    )
    const wrong: string[] = []
    const worker = async ({ mcp, workspace, conversation_id }: (typeof pair)[number], count: number): Promise<void> => {
      for (let call = 0; call < count; call++) {
        const asked = `${workspace} ${crypto.randomUUID()}`
        const [given, said] =
          call % 2 === 0
            ? [{ messages: [{ role: 'user', content: asked }] }, asked]
            : [{ conversation_id }, `words of ${workspace}`]
        const { request } = await mcp.call('context_assemble', given)
        if (!String(request).includes(said as string)) wrong.push(asked)
      }
    }
    await Promise.all(pair.flatMap((one) => Array.from({ length: 10 }, () => worker(one, calls / 20))))
    expect(wrong).toEqual([])
    await Promise.all(pair.map(({ mcp }) => mcp.close()))
  }, 120_000)
}
