/** A language model as the AI SDK's providers make them, which needs no network. */
interface Prompted {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[]
}

const finish = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: { inputTokens: { total: 10 }, outputTokens: { total: 5 } },
}

const say = (delta: string) => [{ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta }, finish]

const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: '{"city":"Rome"}' }

export const languageModel = {
  specificationVersion: 'v3',
  provider: 'acme.chat',
  modelId: 'gpt-4o',
  async doStream({ prompt }: Prompted) {
    const last = JSON.stringify(prompt.at(-1))
    const asked = prompt.filter(({ role }) => role === 'user').length
    const result = /Sunny in [A-Z]+/.exec(last)?.[0]
    const parts = result ? say(`I read: ${result}`) : asked > 1 ? say(`You asked ${asked} things.`) : [call, finish]
    const stream = new ReadableStream<unknown>({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    })
    return { stream }
  },
}
