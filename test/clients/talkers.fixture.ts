/** The newest clients of four makers, each holding a conversation as its documents say: words, pictures and tools. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI, type Part } from '@google/genai'
import {
  DefaultChatTransport,
  jsonSchema,
  type ModelMessage,
  readUIMessageStream,
  streamText,
  tool,
  type UIMessage,
} from 'ai'
import OpenAI from 'openai'

export interface Talker {
  /** Says it, does what the model asks for, and returns what it answers in the end. */
  say(model: string, text: string, picture?: string): Promise<string>
}

const found = (n: number): string => `Result ${n}. ${'Something was found here. '.repeat(90)}`
const schema = { type: 'object', properties: { at: { type: 'number' } } } as const
const look = { name: 'look', description: 'Looks around.' }
const most = 12

const thinkingOf = (model: string) =>
  /claude/.test(model)
    ? /4-5/.test(model)
      ? ({ type: 'enabled', budget_tokens: 1_024 } as const)
      : ({ type: 'adaptive' } as const)
    : undefined

export function anthropicTalker(url: string): Talker {
  const client = new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 })
  const messages: Anthropic.MessageParam[] = []
  return {
    async say(model, text, picture) {
      const image = picture && {
        type: 'image' as const,
        source: { type: 'base64' as const, media_type: 'image/png' as const, data: picture },
      }
      messages.push({ role: 'user', content: [...(image ? [image] : []), { type: 'text', text }] })
      for (let n = 0; n < most; n++) {
        const thinking = thinkingOf(model)
        const answer = await client.messages
          .stream({
            model,
            max_tokens: 4_000,
            system: 'You help.',
            tools: [{ ...look, input_schema: schema }],
            messages,
            ...(thinking && { thinking }),
          })
          .finalMessage()
        messages.push({ role: 'assistant', content: answer.content })
        const calls = answer.content.filter((block) => block.type === 'tool_use')
        if (calls.length === 0)
          return answer.content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('')
        messages.push({
          role: 'user',
          content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: found(n) })),
        })
      }
      throw new Error('it never stops looking')
    },
  }
}

export function chatTalker(url: string): Talker {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: 'You help.' }]
  return {
    async say(model, text, picture) {
      const image = picture && { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${picture}` } }
      messages.push({ role: 'user', content: [{ type: 'text', text }, ...(image ? [image] : [])] })
      for (let n = 0; n < most; n++) {
        const tools = [{ type: 'function' as const, function: { ...look, parameters: schema } }]
        const completion = await client.chat.completions.stream({ model, messages, tools }).finalChatCompletion()
        const { message } = completion.choices[0] ?? {}
        if (!message) throw new Error('it said nothing')
        messages.push(message)
        const calls = message.tool_calls ?? []
        if (calls.length === 0) return message.content ?? ''
        for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: found(n) })
      }
      throw new Error('it never stops looking')
    },
  }
}

interface Held {
  /** The conversation that the service holds; without one the client holds all. */
  readonly conversation?: string
}

interface Compacting extends Talker {
  /** Replaces what the client holds by what the service makes of it. */
  compact(model: string): Promise<void>
}

export function responsesTalker(url: string, { conversation }: Held = {}): Compacting {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 })
  let input: OpenAI.Responses.ResponseInputItem[] = []
  return {
    async compact(model) {
      const { output } = await client.responses.compact({ model: model as OpenAI.ResponsesModel, input })
      if (output.length >= input.length) throw new Error('it is no shorter')
      input = output as OpenAI.Responses.ResponseInputItem[]
    },
    async say(model, text, picture) {
      const image = picture && {
        type: 'input_image' as const,
        detail: 'auto' as const,
        image_url: `data:image/png;base64,${picture}`,
      }
      input.push({ role: 'user', content: [{ type: 'input_text', text }, ...(image ? [image] : [])] })
      for (let n = 0; n < most; n++) {
        const stream = await client.responses.create({
          model,
          input,
          instructions: 'You help.',
          tools: [{ type: 'function', ...look, parameters: schema, strict: false }],
          stream: true,
          ...(conversation ? { conversation } : { store: false, include: ['reasoning.encrypted_content'] }),
        })
        const items: OpenAI.Responses.ResponseOutputItem[] = []
        for await (const event of stream) {
          if (event.type === 'response.output_item.done') items.push(event.item)
          if (event.type === 'error') throw new Error(event.message)
          if (event.type === 'response.failed') throw new Error(event.response.error?.message)
        }
        // what the service holds is not told again
        input = conversation ? [] : [...input, ...(items as OpenAI.Responses.ResponseInputItem[])]
        const calls = items.filter((item) => item.type === 'function_call')
        if (calls.length === 0)
          return items
            .flatMap((item) => (item.type === 'message' ? item.content : []))
            .map((part) => (part.type === 'output_text' ? part.text : ''))
            .join('')
        for (const { call_id } of calls) input.push({ type: 'function_call_output', call_id, output: found(n) })
      }
      throw new Error('it never stops looking')
    },
  }
}

export function googleTalker(url: string): Talker {
  const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } })
  const contents: Content[] = []
  return {
    async say(model, text, picture) {
      const image = picture && { inlineData: { mimeType: 'image/png', data: picture } }
      contents.push({ role: 'user', parts: [{ text }, ...(image ? [image] : [])] })
      for (let n = 0; n < most; n++) {
        const stream = await client.models.generateContentStream({
          model,
          contents,
          config: {
            systemInstruction: 'You help.',
            tools: [{ functionDeclarations: [{ ...look, parametersJsonSchema: schema }] }],
          },
        })
        const parts: Part[] = []
        for await (const chunk of stream)
          parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []).filter(({ text }) => text !== ''))
        contents.push({ role: 'model', parts })
        const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
        if (calls.length === 0) return parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('')
        contents.push({
          role: 'user',
          parts: calls.map(({ id, name }) => ({
            functionResponse: { ...(id && { id }), name: name ?? '', response: { output: found(n) } },
          })),
        })
      }
      throw new Error('it never stops looking')
    },
  }
}

/** Each model by its maker's provider, the history in the SDK's own messages. */
export function aiSdkTalker(url: string): Talker {
  const apiKey = 'none'
  const anthropic = createAnthropic({ baseURL: `${url}/v1`, apiKey })
  const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey })
  const google = createGoogle({ baseURL: `${url}/v1beta`, apiKey })
  const messages: ModelMessage[] = []
  const modelOf = (model: string) =>
    /claude/.test(model) ? anthropic(model) : /gemini/.test(model) ? google(model) : openai.responses(model)
  return {
    async say(model, text, picture) {
      const image = picture && { type: 'file' as const, data: picture, mediaType: 'image/png' }
      messages.push({ role: 'user', content: [{ type: 'text', text }, ...(image ? [image] : [])] })
      for (let n = 0; n < most; n++) {
        const result = streamText({
          model: modelOf(model),
          system: 'You help.',
          messages,
          tools: { look: tool({ description: 'Looks around.', inputSchema: jsonSchema<object>(schema) }) },
          maxRetries: 0,
          providerOptions: {
            anthropic: {
              thinking: /4-5/.test(model) ? { type: 'enabled', budgetTokens: 1_024 } : { type: 'adaptive' },
            },
            openai: { store: false, include: ['reasoning.encrypted_content'] },
          },
          onError: () => undefined,
        })
        for await (const part of result.fullStream) if (part.type === 'error') throw part.error
        messages.push(...(await result.response).messages)
        const calls = await result.toolCalls
        if (calls.length === 0) return await result.text
        messages.push({
          role: 'tool',
          content: calls.map(({ toolCallId }) => ({
            type: 'tool-result',
            toolCallId,
            toolName: 'look',
            output: { type: 'text', value: found(n) },
          })),
        })
      }
      throw new Error('it never stops looking')
    },
  }
}

/** `useChat`'s own transport: the service holds the history. */
export function useChatTalker(url: string, chatId: string): Talker {
  const transport = new DefaultChatTransport({ api: `${url}/api/chat` })
  const messages: UIMessage[] = []
  return {
    async say(model, text, picture) {
      const image = picture && {
        type: 'file' as const,
        mediaType: 'image/png',
        url: `data:image/png;base64,${picture}`,
      }
      messages.push({
        id: `u${messages.length}`,
        role: 'user',
        parts: [{ type: 'text', text }, ...(image ? [image] : [])],
      })
      for (let n = 0; n < most; n++) {
        const before = messages.at(-1)
        const stream = await transport.sendMessages({
          trigger: 'submit-message',
          chatId,
          messageId: undefined,
          messages,
          abortSignal: undefined,
          body: { model, tools: { look: { description: 'Looks around.', inputSchema: schema } } },
        })
        let last: UIMessage | undefined
        const failed: unknown[] = []
        const goesOn = before?.role === 'assistant' ? { message: structuredClone(before) } : {}
        for await (const message of readUIMessageStream({ stream, ...goesOn, onError: (error) => failed.push(error) }))
          last = message
        if (failed.length > 0) throw failed[0]
        if (!last) throw new Error('it said nothing')
        const open = last.parts.some(
          (part) => part.type === 'tool-look' && 'state' in part && part.state === 'input-available',
        )
        const answered: UIMessage = {
          ...last,
          parts: last.parts.map((part): UIMessage['parts'][number] => {
            if (part.type !== 'tool-look' || !('state' in part) || part.state !== 'input-available') return part
            const { type, toolCallId, input } = part
            return { type, toolCallId, input, state: 'output-available', output: found(n) }
          }),
        }
        if (before?.role === 'assistant') messages.pop()
        messages.push(answered)
        if (!open) return answered.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')
      }
      throw new Error('it never stops looking')
    },
  }
}
