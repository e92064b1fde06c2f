/** Chat Completions as other servers want it. */
import type { ProfileName } from '../message/target.js'
import type { Fields, Json } from './json.js'
import type { Scope } from './scope.js'
import { isFields, isFilled, isList, isMatch, isOptional, type List } from './shape.js'
import type { compatibleChatRules } from './table/compatible.js'
import type { NameOf, Report } from './table/rule.js'

type Reports = Report<NameOf<typeof compatibleChatRules>>

interface At {
  readonly list: List
  readonly model: string
  readonly messages: readonly (Fields & { readonly at: string })[]
  readonly report: Reports
}

type Judge = (at: At) => void

const extraFor =
  (rule: 'mistral.extra' | 'groq.extra', known: ReadonlySet<string>): Judge =>
  ({ messages, report }) => {
    for (const { at, ...message } of messages)
      for (const key of Object.keys(message))
        if (!known.has(key)) report(rule, `${at}.${key}`, `a message has no key ${JSON.stringify(key)}`)
  }

const mistralKeys = new Set(['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'prefix'])
const chatKeys = new Set(['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'refusal', 'audio', 'function_call'])

const isOff = ({ thinking, enable_thinking: enabled }: Fields): boolean =>
  enabled === false || (isFields(thinking) && thinking.type === 'disabled')

const lost = 'the message must bring its reasoning_content back'

/** Where there are tools, on every reply; `deepseek-chat` thinks only when it is told to. */
const deepseekReasoning: Judge = ({ list, messages, model, report }) => {
  const { tools, thinking } = list.body
  if (isOff(list.body) || (/deepseek-chat/.test(model) && !isFields(thinking))) return
  if (!isList(tools) && !messages.some(({ tool_calls: calls }) => isList(calls))) return
  for (const { at, role, reasoning_content: reasoning } of messages)
    if (role === 'assistant' && typeof reasoning !== 'string') report('deepseek.reasoning', at, lost)
}

/** Kimis that think; the older ones do not. */
const thinkers = /thinking|k2[.-][5-9]|k[3-9]/

const kimiReasoning: Judge = ({ list, messages, model, report }) => {
  if (isOff(list.body) || !thinkers.test(model)) return
  for (const { at, tool_calls: calls, reasoning_content: reasoning } of messages)
    if (isList(calls) && !isFilled(reasoning)) report('kimi.reasoning', at, lost)
}

const choiceFor =
  (rule: 'deepseek.choice' | 'qwen.choice'): Judge =>
  ({ list, report }) => {
    const { tool_choice: choice } = list.body
    if (!isOff(list.body) && (choice === 'required' || isFields(choice)))
      report(rule, 'tool_choice', 'the choice cannot be forced while the model thinks')
  }

const nine = /^[a-zA-Z0-9]{9}$/

const mistralIds: Judge = ({ messages, report }) => {
  for (const { at, tool_calls: calls, tool_call_id: answered } of messages) {
    if (isList(calls))
      calls.forEach((call, i) => {
        if (isFields(call) && !isMatch(call.id, nine)) report('mistral.id', `${at}.tool_calls[${i}].id`, 'not nine')
      })
    if (answered !== undefined && !isMatch(answered, nine)) report('mistral.id', `${at}.tool_call_id`, 'not nine')
  }
}

const mistralOrder: Judge = ({ messages, report }) => {
  messages.forEach(({ at, role }, i) => {
    const before = messages[i - 1]?.role
    const wrong = (role === 'user' && before === 'tool') || (role === 'tool' && before === 'user')
    if (wrong) report('mistral.order', at, `${role} after ${before}`)
  })
}

const endFor =
  (rule: 'mistral.last' | 'llamacpp.prefill'): Judge =>
  ({ messages, report }) => {
    const last = messages.at(-1)
    const goesOn = rule === 'mistral.last' && last?.prefix === true
    if (last?.role === 'assistant' && !goesOn) report(rule, last.at, 'the last message is the assistant’s')
  }

const noTwoAtTheEnd: Judge = ({ messages, report }) => {
  const [before, last] = messages.slice(-2)
  if (before?.role === 'assistant' && last?.role === 'assistant')
    report('llamacpp.last', last.at, 'two assistant messages end the list')
}

/** On a server for many models, unless the model is known to have another template. */
const systemFirst: Judge = ({ messages, model, report }) => {
  if (model !== '' && !/qw(?:en|q)/.test(model)) return
  messages.forEach(({ at, role }, i) => {
    if (i > 0 && (role === 'system' || role === 'developer'))
      report('qwen.system', at, 'a system message that is not the first')
  })
}

const hasUser: Judge = ({ list, messages, report }) => {
  if (!messages.some(({ role }) => role === 'user')) report('qwen.user', list.path, 'there is no user message')
}

const takesTurns: Judge = ({ messages, report }) => {
  messages.forEach(({ at, role }, i) => {
    const wanted = i % 2 === 0 ? 'user' : 'assistant'
    if (role !== wanted) report('strict.roles', at, `the ${role} speaks where the ${wanted} should`)
  })
}

const imagesAtMost =
  (count: number): Judge =>
  ({ list, messages, report }) => {
    const images = messages.reduce((sum, { content }) => sum + imagesIn(content), 0)
    if (images > count) report('vllm.images', list.path, `there are ${images} images`)
  }

const imagesIn = (content: Json | undefined): number =>
  isList(content) ? content.filter((part) => isFields(part) && part.type === 'image_url').length : 0

const kimiSettings: Judge = ({ list, messages, report }) => {
  const { thinking, reasoning_effort: effort } = list.body
  if (!isOptional(thinking) && !isOptional(effort)) report('kimi.effort', 'reasoning_effort', 'beside thinking')
  const thought = messages.some(({ reasoning_content: reasoning }) => isFilled(reasoning))
  if (thought && !(isFields(thinking) && thinking.keep !== undefined))
    report('kimi.keep', 'thinking.keep', 'earlier reasoning is ignored without it')
}

/** Models whose template knows no tools. */
const toolless = /(?:^|\/)(?:gemma-?[23]?|llama2|codellama|phi|phi3|llava|moondream|deepseek-r1)(?:[:\d.-]|$)/

const byProfile: Partial<Record<ProfileName, readonly Judge[]>> = {
  deepseek: [deepseekReasoning, choiceFor('deepseek.choice')],
  moonshot: [kimiReasoning, kimiSettings],
  mistral: [extraFor('mistral.extra', mistralKeys), mistralIds, mistralOrder, endFor('mistral.last')],
  qwen: [systemFirst, hasUser],
  dashscope: [systemFirst, hasUser, choiceFor('qwen.choice')],
  strict: [takesTurns],
  vllm: [systemFirst, imagesAtMost(1)],
  'llama.cpp': [systemFirst, endFor('llamacpp.prefill'), noTwoAtTheEnd],
  ollama: [systemFirst, noTwoAtTheEnd],
  lmstudio: [systemFirst],
  groq: [extraFor('groq.extra', chatKeys), imagesAtMost(5)],
}

export function judgeCompatible(list: List, scope: Scope, report: Reports): void {
  const { profiles } = scope
  const model = (scope.model ?? '').toLowerCase()
  if (profiles.length === 0) return
  const messages = list.values.flatMap((message, i) =>
    isFields(message) ? [{ ...message, at: `${list.path}[${i}]` }] : [],
  )
  const judges = new Set(profiles.flatMap((name) => byProfile[name] ?? []))
  for (const judge of judges) judge({ list, messages, model, report })
  const { tools } = list.body
  if (profiles.includes('ollama') && isList(tools) && tools.length > 0 && toolless.test(model))
    report('ollama.tools', 'tools', 'the model knows no tools')
}
