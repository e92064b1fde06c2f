import { placeholder } from './gemini.js'
import { type Extra, gif, heic, type JudgeCase, jpeg, png, type Told, times, webp } from './judge.fixture.js'
import type { Issued, JudgeRequest } from './scope.js'

const send = (contents: readonly unknown[], extra: Extra = {}, told: Told = {}): JudgeRequest => ({
  provider: 'gemini',
  model: 'gemini-2.5-flash',
  ...told,
  body: { contents, ...extra },
})
const user = (...parts: unknown[]) => ({ role: 'user', parts })
const model = (...parts: unknown[]) => ({ role: 'model', parts })
const text = (value = 'How is the weather in Oslo?') => ({ text: value })
const call = (signature?: string, name = 'get_weather') => ({
  functionCall: { name, args: { city: 'Oslo' } },
  ...(signature ? { thoughtSignature: signature } : {}),
})
const answer = (name = 'get_weather', response: unknown = { result: '4 degrees' }) => ({
  functionResponse: { name, response },
})
const image = (mimeType: string, data: string) => ({ inlineData: { mimeType, data } })
const weather = {
  name: 'get_weather',
  description: 'Current weather',
  parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] },
}
const declare = (...functionDeclarations: unknown[]) => ({ tools: [{ functionDeclarations }] })
const ask = user(text())
const three: Told = { model: 'gemini-3-pro-preview' }
const own: Issued = {
  signature: 'c2lnbmVk',
  prefix: '',
  before: [],
  reply: [],
  model: 'gemini-3-pro-preview',
  account: '',
}
const told: Told = { ...three, issued: [own] }
const c = (rule: string, says: string, bad: JudgeRequest, good: JudgeRequest): JudgeCase => ({ rule, says, bad, good })
const loop = (...parts: unknown[]) => [ask, model(...parts), user(...parts.map(() => answer()))]

export const geminiCases: readonly JudgeCase[] = [
  c('G-contents', 'contents is not specified', send([]), send([ask])),
  c('G-role', 'valid role: user, model', send([{ role: 'assistant', parts: [text()] }]), send([{ parts: [text()] }])),
  c('G-parts', 'contents.parts must not be empty', send([ask, model(), ask]), send([ask, model(text('Rain.')), ask])),
  c('G-data', "required oneof field 'data'", send([user({})]), send([ask])),
  c('G-data', 'already set', send([ask, model({ ...call(), ...text() }), user(answer())]), send(loop(call()))),
  c(
    'G-data',
    'must have a text parameter',
    send([user(text(''))]),
    send([ask, model({ text: '', thoughtSignature: 'c2ln' }), ask]),
  ),
  c(
    'G-keys',
    'Unknown name "type"',
    send([user({ type: 'text', ...text() })]),
    send([user({ ...text(), thought: false })]),
  ),
  c(
    'G-call-fields',
    'Name cannot be empty',
    send([ask, model({ functionCall: { args: {} } }), user(answer())]),
    send([ask, model({ functionCall: { name: 'f' } }), user(answer('f'))]),
  ),
  c(
    'G-call-fields',
    'protobuf.Struct',
    send([ask, model(call()), user(answer('get_weather', '4 degrees'))]),
    send(loop(call())),
  ),
  c(
    'G-04',
    'function call turn comes immediately after a user turn',
    send([model(call()), user(answer())]),
    send(loop(call())),
  ),
  c(
    'G-04',
    'immediately after a user turn',
    send([ask, model(text('So.')), model(call()), user(answer())]),
    send([ask, model(text('So.'), call()), user(answer())]),
  ),
  c(
    'G-response-turn',
    'function response turn comes immediately after a function call turn',
    send([user(answer())]),
    send(loop(call())),
  ),
  c(
    'G-count',
    'number of function response parts is equal',
    send([ask, model(call(), call()), user(answer())]),
    send(loop(call(), call())),
  ),
  c('G-count', 'number of function response parts', send([ask, model(call())]), send([ask, model(text('Rain.'))])),
  c(
    'G-01',
    'missing a thought_signature in functionCall parts',
    send(loop(call()), {}, three),
    send(loop(call('c2ln'), call()), {}, three),
  ),
  c(
    'G-01',
    'default_api:get_weather',
    send([...loop(call('c2ln')), model(call()), user(answer())], {}, { model: '' }),
    send([...loop(call()), model(text('4.')), ask], {}, three),
  ),
  c(
    'G-01',
    'missing a thought_signature',
    send([...loop(call('c2ln'), call()), model(call()), user(answer())], {}, { model: 'gemini-4-argon' }),
    send([...loop(call('c2ln'), call()), model(call(placeholder)), user(answer())], {}, { model: 'gemini-4-argon' }),
  ),
  c('G-02', 'Base64 decoding failed', send(loop(call('not base64!')), {}, three), send(loop(call('c2ln')), {}, three)),
  c(
    'G-02',
    'Corrupted thought signature',
    send(loop(call('Zm9yZWln')), {}, told),
    send(loop(call('c2lnbmVk')), {}, told),
  ),
  c(
    'G-02',
    'Corrupted thought signature',
    send(loop(call(Buffer.from(placeholder).toString('base64'))), {}, three),
    send(loop(call(placeholder)), {}, told),
  ),
  c(
    'G-02',
    'Invalid thought signature',
    send(
      [ask, model({ ...text('Rain.'), thoughtSignature: 'c2lnbmVk' }), ask],
      {},
      { ...told, model: 'gemini-3.8-flash' },
    ),
    send([ask, model({ ...text('Rain.'), thoughtSignature: 'c2lnbmVk' }), ask], {}, told),
  ),
  c(
    'G-image',
    'Unsupported MIME type: image/gif',
    send([user(image('image/gif', gif(2, 2)))]),
    send([user(image('image/heic', heic()))]),
  ),
  c(
    'G-image',
    'Unable to process input image',
    send([user(image('image/png', gif(2, 2)))]),
    send([user(image('image/png', png(2, 2)))]),
  ),
  c(
    'G-size',
    'Request payload size exceeds the limit',
    send([user(text('x'.repeat(104_857_600)))]),
    send([user(text('x'.repeat(104_000_000)))]),
  ),
  c(
    'G-system',
    'system_instruction',
    send([ask], { systemInstruction: { parts: [text('')] } }),
    send([ask], { systemInstruction: { parts: [text('Be brief.')] } }),
  ),
  c(
    'G-05',
    'At most 512 function declarations',
    send([ask], declare(...times(513, (at) => ({ name: `f${at}` })))),
    send([ask], declare(...times(512, (at) => ({ name: `f${at}` })))),
  ),
  c(
    'G-06',
    'Invalid function name',
    send([ask], declare({ ...weather, name: '1st' })),
    send([ask], declare({ ...weather, name: 'mcp:first.of-all' })),
  ),
  c(
    'G-06',
    'maximum length of 64',
    send([ask, model(call(undefined, 'n'.repeat(65))), user(answer('n'.repeat(65)))]),
    send([ask, model(call(undefined, 'n'.repeat(64))), user(answer('n'.repeat(64)))]),
  ),
  c(
    'G-duplicate',
    'Duplicate function declaration found',
    send([ask], declare(weather, weather)),
    send([ask], declare(weather, { ...weather, name: 'b' })),
  ),
  c(
    'G-schema',
    'Unknown name "$schema"',
    send([ask], declare({ name: 'f', parameters: { type: 'OBJECT', $schema: 'x' } })),
    send([ask], declare({ name: 'f', parametersJsonSchema: { type: 'object', $schema: 'x' } })),
  ),
  c(
    'G-schema',
    'items: missing field',
    send([ask], declare({ name: 'f', parameters: { type: 'OBJECT', properties: { a: { type: 'ARRAY' } } } })),
    send(
      [ask],
      declare({
        name: 'f',
        parameters: { type: 'OBJECT', properties: { a: { type: 'ARRAY', items: { type: 'STRING' } } } },
      }),
    ),
  ),
  c(
    'G-schema',
    'property is not defined',
    send([ask], declare({ ...weather, parameters: { ...weather.parameters, required: ['town'] } })),
    send([ask], declare(weather)),
  ),
  c(
    'G-config',
    'without function_declarations',
    send([ask], { toolConfig: { functionCallingConfig: { mode: 'ANY' } } }),
    send([ask], { ...declare(weather), toolConfig: { functionCallingConfig: { mode: 'ANY' } } }),
  ),
  c(
    'G-config',
    'only when function calling mode is ANY',
    send([ask], {
      ...declare(weather),
      toolConfig: { functionCallingConfig: { mode: 'AUTO', allowedFunctionNames: ['get_weather'] } },
    }),
    send([ask], {
      ...declare(weather),
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['get_weather'] } },
    }),
  ),
]

/** Bodies in the shape of the examples of google-genai and the API guide, in words of our own. */
export const geminiGood: readonly JudgeRequest[] = [
  send([{ parts: [text()] }]),
  send([ask]),
  send([user(text('Hello')), model(text('Hi!')), user(text('I have two dogs.'))]),
  send([ask], { systemInstruction: { parts: [text('You are a cat.')] }, generationConfig: { temperature: 0.1 } }),
  send([user(text('Caption this.'), image('image/jpeg', jpeg(9, 9)))]),
  send([user(image('image/webp', webp(9, 9)), text('Compare'), image('image/png', png(9, 9)))]),
  send([
    user(
      { fileData: { mimeType: 'video/mp4', fileUri: 'https://example.org/v' }, videoMetadata: { fps: 2 } },
      text('Summarise.'),
    ),
  ]),
  send([user({ inlineData: { mimeType: 'application/pdf', data: 'JVBERi0x' } }, text('Summarise.'))]),
  send([user({ inlineData: { mimeType: 'audio/mp3', data: 'SUQz' } }, text('Describe.'))]),
  send([ask], declare(weather)),
  send([ask], { ...declare(weather), toolConfig: { functionCallingConfig: { mode: 'AUTO' } } }),
  send(loop(call()), declare(weather)),
  send(loop(call(), call(), call()), declare(weather)),
  send([ask, model(call()), { role: 'function', parts: [answer()] }], declare(weather)),
  send([...loop(call()), model(call()), user(answer()), model(text('4 degrees.')), ask], declare(weather)),
  send([ask, model(text('Let me look.'), call()), user(answer())]),
  send([ask, model({ text: 'Thinking of rain.', thought: true }, text('Rain.')), ask]),
  send([ask, model({ functionCall: { name: 'now' } }), user(answer('now'))]),
  send([
    ask,
    model({ functionCall: { id: 'a1', name: 'f', args: {} } }),
    user({ functionResponse: { id: 'a1', name: 'f', response: { output: [1, 2] } } }),
  ]),
  send(loop(call('c2ln')), declare(weather), three),
  send(loop(call('c2ln'), call(), call()), declare(weather), three),
  send([...loop(call('c2ln')), model(call('c2lnMg==')), user(answer())], declare(weather), three),
  send([...loop(call()), model(text('4.')), user(text('And Bergen?')), model(call('c2ln')), user(answer())], {}, three),
  send([ask, model({ text: 'Rain.', thoughtSignature: 'c2ln' }), ask], {}, three),
  send([ask, model(call()), user(answer(), text('And Bergen?')), model(call('c2ln')), user(answer())], {}, three),
  send([ask, model(text('Rain.')), ask], {}, three),
  send(loop(call(placeholder)), {}, three),
  send(loop(call()), {}, { model: 'gemini-3-pro-image-preview' }),
  send(loop(call()), {}, { model: '' }),
  send(
    [
      ask,
      model(
        { executableCode: { language: 'PYTHON', code: '1' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
        text('1'),
      ),
      ask,
    ],
    { tools: [{ codeExecution: {} }] },
  ),
  send([ask], { tools: [{ googleSearch: {} }] }),
  send([ask], {
    generationConfig: {
      responseMimeType: 'application/json',
      responseSchema: { type: 'ARRAY', items: { type: 'STRING' } },
    },
  }),
]
