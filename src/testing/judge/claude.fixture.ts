import { type Extra, type JudgeCase, png, type Told } from './judge.fixture.js'
import { issue } from './ledger.js'
import type { JudgeRequest } from './scope.js'

export const send = (messages: readonly unknown[], extra: Extra = {}, told: Told = {}): JudgeRequest => ({
  provider: 'anthropic',
  ...told,
  body: { model: 'claude-sonnet-4-5', max_tokens: 4096, messages, ...extra },
})
export const user = (...content: unknown[]) => ({ role: 'user', content })
export const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
export const text = (value: string, extra: Extra = {}) => ({ type: 'text', text: value, ...extra })
export const call = (id = 'toolu_01A', name = 'get_weather', extra: Extra = {}) => ({
  type: 'tool_use',
  id,
  name,
  input: { city: 'Oslo' },
  ...extra,
})
export const result = (id = 'toolu_01A', content: unknown = '4 degrees, rain', extra: Extra = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...extra,
})
export const thought = (signature: unknown = 'c2lnbmVk', thinking = 'The user asks about Oslo.') => ({
  type: 'thinking',
  thinking,
  signature,
})
export const image = (data = png(200, 100), media = 'image/png') => ({
  type: 'image',
  source: { type: 'base64', media_type: media, data },
})
export const weather = {
  name: 'get_weather',
  description: 'Current weather of a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
export const tools = [weather]
export const ask = user(text('How is the weather in Oslo?'))
export const hello = { role: 'user', content: 'Hello, Claude' }
export const loop = (...content: unknown[]) => [ask, assistant(...content), user(result())]
export const manual = { thinking: { type: 'enabled', budget_tokens: 2048 } }
export const adaptive = { thinking: { type: 'adaptive' } }
export const cached = { cache_control: { type: 'ephemeral' } }
export const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }
export const searched = (id = 'srvtoolu_01B') => ({
  type: 'server_tool_use',
  id,
  name: 'web_search',
  input: { query: 'Oslo weather' },
})
export const hits = (id = 'srvtoolu_01B') => ({
  type: 'web_search_tool_result',
  tool_use_id: id,
  content: [{ type: 'web_search_result', url: 'https://example.org', title: 'Weather', encrypted_content: 'ZW5j' }],
})
export const webSearch = { type: 'web_search_20250305', name: 'web_search', max_uses: 5 }
export const bound = 'claude-fable-5-1'

export const asked = send([ask], { model: bound, tools, ...adaptive })
export const reply = [thought('Ym91bmQx'), call()]
export const issued = issue(asked, reply)
export const second = send([ask, assistant(...reply), user(result())], { model: bound, tools, ...adaptive })
export const reply2 = [thought('Ym91bmQy'), call('toolu_02', 'get_weather')]
export const both = [...issued, ...issue(second, reply2)]
export const again = [ask, assistant(...reply), user(result()), assistant(...reply2), user(result('toolu_02'))]
export const follow = (messages: readonly unknown[], extra: Extra = {}, told: Told = {}) =>
  send(messages, { model: bound, tools, ...adaptive, ...extra }, { issued: both, ...told })

export const c = (rule: string, says: string, bad: JudgeRequest, good: JudgeRequest): JudgeCase => ({
  rule,
  says,
  bad,
  good,
})
