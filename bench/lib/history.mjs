// Conversations that are the same on every machine: a seeded generator, words with the shape of real ones.

/** mulberry32: small, fast, good enough to choose words. */
export function dice(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
  }
}

const common =
  'the of to and a in is it that for on with as this be are or an by from at not have we can will when if which but they all there use one should has more its also then only after before into over same each other first new any where how what your our need make run set check change call return read write'.split(
    ' ',
  )
const nouns =
  'request response message handler server client token budget window history conversation context model provider schema database table column index migration transaction lock queue worker retry timeout deadline latency throughput cache prefix session user account permission policy role header payload parser stream buffer event listener callback promise test fixture snapshot branch commit release build pipeline container cluster region replica backup report invoice customer order shipment calendar meeting reminder document paragraph summary translation'.split(
    ' ',
  )
const verbs =
  'returns fails drops keeps counts sends waits blocks retries parses renders stores loads merges splits deletes restores validates rejects accepts measures compares reports schedules cancels resumes'.split(
    ' ',
  )
const modifiers =
  'empty stale partial slow unexpected duplicate missing invalid final previous shared local remote internal public concurrent nested optional required immutable'.split(
    ' ',
  )

/** A sentence of about 8 to 20 words, with the odd path, number, or name in backticks. */
function sentence(random) {
  const words = []
  const length = random.between(8, 20)
  while (words.length < length) {
    const roll = random.next()
    if (roll < 0.5) words.push(random.pick(common))
    else if (roll < 0.74) words.push(random.pick(nouns))
    else if (roll < 0.84) words.push(random.pick(verbs))
    else if (roll < 0.93) words.push(random.pick(modifiers))
    else if (roll < 0.95) words.push(String(random.between(2, 9_999)))
    else if (roll < 0.97) words.push(`\`${random.pick(nouns)}${capital(random.pick(nouns))}\``)
    else if (roll < 0.98) words.push(`src/${random.pick(nouns)}/${random.pick(nouns)}.ts`)
    else words.push(`${random.pick(nouns)},`)
  }
  return `${capital(words.join(' '))}.`
}

const capital = (word) => word[0].toUpperCase() + word.slice(1)

/** Prose of about so many o200k tokens. */
export function prose(random, tokens) {
  const parts = []
  let chars = 0
  while (chars < tokens * 4.9) {
    const next = sentence(random)
    parts.push(next)
    chars += next.length + 1
  }
  let text = parts[0]
  for (let i = 1; i < parts.length; i++) text += (i % 5 === 0 ? '\n\n' : ' ') + parts[i]
  // one flat string, as a parsed request would have it
  return Buffer.from(text).toString()
}

/** What tools return: lines of a log or rows of JSON. */
export function output(random, tokens) {
  const lines = []
  const count = Math.max(1, Math.round(tokens / 24))
  for (let i = 0; i < count; i++)
    lines.push(
      `${random.between(1_000, 9_999)} ${random.pick(['INFO', 'WARN', 'DEBUG'])} src/${random.pick(nouns)}/${random.pick(nouns)}.ts:${random.between(1, 400)} ${random.pick(nouns)} ${random.pick(verbs)} ${random.pick(modifiers)} ${random.pick(nouns)}`,
    )
  return Buffer.from(lines.join('\n')).toString()
}

export const systemPrompt = prose(dice(7), 120)

/** The next message of a text conversation: 20 to 300 tokens. */
export const chat = (random, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: prose(random, random.between(20, 290)),
})

/** So many messages, user first. */
export function chats(count, seed) {
  const random = dice(seed)
  return Array.from({ length: count }, (_, index) => chat(random, index))
}

/** So many messages of an agent at work: a question, two rounds of parallel calls, an answer. */
export function works(count, seed) {
  const random = dice(seed)
  const messages = []
  for (let turn = 0; messages.length < count; turn++) messages.push(...toolTurn(random, turn))
  return messages.slice(0, count)
}

/** So many messages as agents write them: 200 characters asked, 1,500 answered, every fifth turn a call with 2 to 20 KB of JSON. */
export function traffic(count, seed) {
  const random = dice(seed)
  const messages = []
  for (let turn = 0; messages.length < count; turn++) messages.push(...trafficTurn(random, turn))
  return messages.slice(0, count)
}

export function trafficTurn(random, turn) {
  const asks = { role: 'user', content: prose(random, 42).slice(0, 200) }
  const answers = { role: 'assistant', content: prose(random, 310).slice(0, 1_500) }
  if (turn % 5 !== 4) return [asks, answers]
  const call = { id: `call_${turn}`, type: 'function', function: { name: 'search', arguments: '{"limit":50}' } }
  const rows = output(random, random.between(700, 7_000)).split('\n')
  const calls = { role: 'assistant', content: null, tool_calls: [call] }
  const result = { role: 'tool', tool_call_id: call.id, content: JSON.stringify({ rows }).slice(0, 20_000) }
  return [asks, calls, result, answers]
}

/** In the form of OpenAI's chat completions. */
export function toolTurn(random, turn, { rounds = 2, result = [40, 300] } = {}) {
  const messages = [{ role: 'user', content: prose(random, random.between(20, 120)) }]
  for (let round = 0; round < rounds; round++) {
    const ids = Array.from({ length: random.between(1, 3) }, (_, i) => `call_${turn}_${round}_${i}`)
    messages.push({
      role: 'assistant',
      content: prose(random, random.between(5, 30)),
      tool_calls: ids.map((id) => ({
        id,
        type: 'function',
        function: {
          name: random.pick(['read_file', 'search', 'run_tests']),
          arguments: JSON.stringify({ path: `src/${random.pick(nouns)}/${random.pick(nouns)}.ts`, limit: 200 }),
        },
      })),
    })
    for (const id of ids)
      messages.push({ role: 'tool', tool_call_id: id, content: output(random, random.between(...result)) })
  }
  messages.push({ role: 'assistant', content: prose(random, random.between(60, 280)) })
  return messages
}

/** Turns of the three conversations that the prefix is measured on. */
export const conversations = {
  'text only': (random) => [
    { role: 'user', content: prose(random, random.between(30, 120)) },
    { role: 'assistant', content: prose(random, random.between(70, 280)) },
  ],
  'tool-heavy': (random, turn) => toolTurn(random, turn),
  'mixed, long pastes': (random, turn) => {
    if (turn % 3 === 2) return toolTurn(random, turn, { rounds: 1 })
    const paste = turn % 12 === 7 ? `\n\n${output(random, random.between(1_200, 3_500))}` : ''
    return [
      { role: 'user', content: prose(random, random.between(30, 120)) + paste },
      { role: 'assistant', content: prose(random, random.between(70, 280)) },
    ]
  },
}
