// "How deadly is it?": the words that people had to add must stand in an included turn of that dialogue.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { termsOf, wordsOf } from '../../dist/recall/words.js'
import { lines } from './data.mjs'
import { percent, priceOf, tokensIn } from './score.mjs'

const budgets = [500, 1_000, 2_000, 4_000]
const known = new Map()
const terms = (text) => known.get(text) ?? known.set(text, new Set(termsOf(wordsOf(text)))).get(text)

export async function followUps(folder, wanted, toolTokens, open, limit) {
  const dialogues = lines(join(folder, 'data', 'followup', 'convs.jsonl')).filter(({ id }) => wanted.has(id))
  const tool = toolTokens ? toolText(folder, toolTokens) : null
  const hits = budgets.map(() => [])
  for (const [at, { id, turns }] of dialogues.slice(0, limit).entries()) {
    const older = others(dialogues, at)
    const own = []
    for (const { raw, resolved = '', response, dup } of turns) {
      const said = new Set(own.flatMap(({ text }) => [...terms(text)]))
      const added = [...terms(resolved)].filter((term) => !terms(raw).has(term) && said.has(term))
      if (own.length > 0 && !dup && added.length > 0) {
        const result = tool ? [{ session: id, role: 'tool', text: tool }] : []
        const all = [...older, ...own, ...result].map((turn, i) => ({ ...turn, id: `t${i}`, speaker: turn.role }))
        const engine = await open(all)
        for (const [i, budget] of budgets.entries()) {
          const { messages } = await engine.assemble(raw, budget, {})
          const isOwn = ({ id: name }) => name === undefined || all[Number(name.slice(1))].session === id
          const there = messages.filter(isOwn).map(({ text }) => terms(text))
          hits[i].push(priceOf(messages) <= budget && added.every((term) => there.some((one) => one.has(term))))
        }
        await engine.close?.()
      }
      own.push({ session: id, role: 'user', text: raw })
      if (response) own.push({ session: id, role: 'assistant', text: response })
    }
  }
  return hits.map(percent)
}

const topic = (id) => id.split('-')[1]?.split('_')[0]

/** Twelve dialogues about other things. */
function others(dialogues, at) {
  const steps = Array.from({ length: 12 }, (_, n) => dialogues[(at + 7 * (n + 1)) % dialogues.length])
  return steps
    .filter(({ id }) => topic(id) !== topic(dialogues[at].id))
    .flatMap(({ id, turns }) =>
      turns.flatMap(({ raw, response }) => [
        { session: id, role: 'user', text: raw },
        ...(response ? [{ session: id, role: 'assistant', text: response }] : []),
      ]),
    )
}

function toolText(folder, tokens) {
  const logs = join(folder, 'data', 'load', 'claude-code-spotter')
  let text = ''
  for (const name of readdirSync(logs).sort())
    for (const line of readFileSync(join(logs, name), 'utf8').split('\n')) {
      if (text.length > tokens * 6) break
      if (line.includes('tool_result')) text += resultsIn(line)
    }
  while (tokensIn(text) > tokens) text = text.slice(0, Math.floor((text.length * tokens) / tokensIn(text)))
  return text
}

function resultsIn(line) {
  const { message } = JSON.parse(line)
  const blocks = Array.isArray(message?.content) ? message.content : []
  return blocks
    .filter(({ type }) => type === 'tool_result')
    .map(
      ({ content }) =>
        `${typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n')}\n`,
    )
    .join('')
}
