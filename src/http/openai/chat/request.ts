/** What a request for a completion asks for. The client holds the history; whether it is kept here too is its choice. */
import { createHash } from 'node:crypto'
import { defined } from '../../../core/message/defined.js'
import { decode } from '../../../core/message/dialects/decode.js'
import { canonical } from '../../../store/shared/gate.js'
import { modelNamed } from '../../dialect/model-name.js'
import { conversationIn } from '../../dialect/named.js'
import { refuse } from '../../dialect/refuse.js'
import type { Ask, TalkPlace } from '../../dialect/start.js'
import type { Context } from '../../kit/context.js'
import { openaiSettings } from '../shape/settings.js'
import { openaiTools, toolChoiceOf } from '../shape/tools.js'
import type { ChatBody } from './body.js'

export async function chatAsk({ frame }: Pick<Context, 'frame'>, body: ChatBody): Promise<Ask> {
  const model = await modelNamed(frame.models, body.model)
  const official = body.messages.filter(isOfficial)
  const system = official.map(({ content }) => textOf(content)).join('\n\n')
  const messages = body.messages.filter((message) => !isOfficial(message))
  if (messages.length === 0) throw refuse('messages', 'has nothing to answer')
  messages.forEach(checkMessage)
  return defined<Ask>({
    messages,
    model: model?.id,
    system: system === '' ? undefined : system,
    tools: openaiTools(body.tools),
    output: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    settings: openaiSettings({ ...body, format: body.response_format, choice: toolChoiceOf(body.tool_choice) }),
    overrides: undefined,
    budget: undefined,
    usualPolicy: undefined,
    key: undefined,
  })
}

export function chatPlace({ request }: Pick<Context, 'request'>, body: ChatBody, { messages }: Ask): TalkPlace {
  const conversation = conversationIn(request.headers)
  if (conversation !== null) return { kind: 'history', conversation }
  return body.store === true ? { kind: 'history', conversation: nameOf(body, messages) } : { kind: 'nowhere' }
}

/** Content-addressed: whoever begins with the same words for the same user goes on with the same conversation. */
function nameOf({ user }: ChatBody, messages: readonly unknown[]): string {
  const first = messages.map((message) => decode(message)).find((one) => one.ok && one.role === 'user')
  const words = first?.ok ? first.parts : []
  return `chat_${createHash('sha256')
    .update(canonical([user ?? null, words]))
    .digest('hex')
    .slice(0, 32)}`
}

const isOfficial = ({ role }: ChatBody['messages'][number]): boolean => role === 'system' || role === 'developer'

function checkMessage(message: object, i: number): void {
  const read = decode(message)
  if (!read.ok) throw refuse(`messages[${i}]${read.field === '' ? '' : `.${read.field}`}`, read.reason)
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (Array.isArray(content) ? content : []).flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n')
