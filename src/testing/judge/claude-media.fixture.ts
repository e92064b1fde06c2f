import {
  ask,
  assistant,
  c,
  cached,
  call,
  hello,
  hour,
  image,
  loop,
  result,
  send,
  text,
  thought,
  tools,
  user,
  weather,
} from './claude.fixture.js'
import { gif, type JudgeCase, jpeg, png, times, webp } from './judge.fixture.js'

export const claudeMediaCases: readonly JudgeCase[] = [
  c(
    'A-media',
    "media_type: Input should be 'image/jpeg'",
    send([user(image(png(1, 1), 'image/bmp'))]),
    send([user(image())]),
  ),
  c(
    'A-17',
    'appears to be a image/png image',
    send([user(image(png(9, 9), 'image/jpeg'))]),
    send([user(image(jpeg(9, 9), 'image/jpeg'))]),
  ),
  c(
    'A-17',
    'Could not process image',
    send([user(image('bm90IGEgcGljdHVyZQ=='))]),
    send([user(image(gif(9, 9), 'image/gif'), image(webp(9, 9), 'image/webp'))]),
  ),
  c(
    'A-18',
    'many-image requests: 2000 pixels',
    send([user(...times(20, () => image()), image(png(2001, 10)))]),
    send([user(...times(19, () => image()), image(png(2001, 10)))]),
  ),
  c(
    'A-18',
    'many-image requests',
    send([user(image(jpeg(10, 2400), 'image/jpeg')), ...times(20, () => user(image()))]),
    send([user(image(jpeg(10, 2000), 'image/jpeg')), ...times(20, () => user(image()))]),
  ),
  c(
    'A-19',
    'max allowed size: 8000 pixels',
    send([user(image(webp(9000, 10), 'image/webp'))]),
    send([user(image(webp(8000, 10), 'image/webp'))]),
  ),
  c(
    'A-20',
    'Too much media',
    send([user(...times(101, () => image()))]),
    send([user(...times(101, () => image()))], { model: 'claude-opus-4-7' }),
  ),
  c(
    'A-21',
    'image exceeds 5 MB maximum',
    send([user(image(png(9, 9, 3_940_000)))]),
    send([user(image(png(9, 9, 3_900_000)))]),
  ),
  c(
    'A-22',
    'Request exceeds the maximum size',
    send([user(text('x'.repeat(33_554_432)))]),
    send([user(text('x'.repeat(33_000_000)))]),
  ),
  c(
    'C-01',
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    send([...loop(call()).slice(0, 2), user(result('toolu_01A', [text('a', cached), text('b', cached)]))], {
      tools: [{ ...weather, ...cached }],
      system: [text('a', cached), text('b', cached)],
    }),
    send([...loop(call()).slice(0, 2), user(result('toolu_01A', [text('a', cached), text('b')]))], {
      tools: [{ ...weather, ...cached }],
      system: [text('a', cached), text('b', cached)],
    }),
  ),
  c(
    'C-02',
    "a ttl='1h' cache_control block must not come after a ttl='5m'",
    send([user(text('a', hour))], { system: [text('a', cached)] }),
    send([user(text('a', cached))], { system: [text('a', hour)] }),
  ),
  c(
    'C-02',
    "Input should be '5m' or '1h'",
    send([user(text('a', { cache_control: { type: 'ephemeral', ttl: '2h' } }))]),
    send([user(text('a', hour))]),
  ),
  c(
    'C-03',
    'thinking.cache_control: Extra inputs',
    send([ask, assistant({ ...thought(), ...cached }, text('Rain.')), hello]),
    send([ask, assistant(thought(), text('Rain.', cached)), hello]),
  ),
  c(
    'BR-01',
    'toolConfig field must be defined',
    send(loop(call()), {}, { provider: 'bedrock' }),
    send(loop(call()), { tools }, { provider: 'bedrock' }),
  ),
  c(
    'BR-02',
    'less than or equal to 64',
    send([hello], { tools: [{ ...weather, name: 'n'.repeat(65) }] }, { provider: 'bedrock' }),
    send([hello], { tools: [{ ...weather, name: 'n'.repeat(64) }] }, { provider: 'bedrock' }),
  ),
  c('BR-alternate', 'roles must alternate', send([hello, hello], {}, { provider: 'bedrock' }), send([hello, hello])),
  c(
    'BR-03-images',
    '21 > 20',
    send([user(...times(21, () => image()))], {}, { provider: 'bedrock' }),
    send([user(...times(20, () => image()))], {}, { provider: 'bedrock' }),
  ),
  c(
    'BR-03-documents',
    'A text block is required',
    send(
      [user({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } })],
      {},
      { provider: 'bedrock' },
    ),
    send(
      [user({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } }, text('Read.'))],
      {},
      { provider: 'bedrock' },
    ),
  ),
  c(
    'BR-03-source',
    'URL sources are not supported',
    send(
      [user({ type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } })],
      {},
      { provider: 'bedrock' },
    ),
    send([user({ type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } })]),
  ),
]
