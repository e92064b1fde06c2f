// A turn is in a window when at least 80 % of its runs of five words are; the price is counted here, not believed.
import { createRequire } from 'node:module'

// the tokenizer of the product: the older one that other benches bring along counts some texts wrong
const { countTokens } = createRequire(new URL('../../package.json', import.meta.url))(
  'gpt-tokenizer/encoding/o200k_base',
)

export const tokensIn = (text) => countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() })
export const priceOf = (messages) => messages.reduce((sum, { text }) => sum + tokensIn(text) + 4, 0)

const words = (text) =>
  text
    .toLowerCase()
    .normalize('NFKC')
    .match(/[\p{L}\p{N}]+/gu) ?? []

function runs(list) {
  const found = new Set()
  for (let at = 0; at + 5 <= list.length; at++) found.add(list.slice(at, at + 5).join(' '))
  return found
}

export async function score(conversations, open, budgets) {
  const hits = []
  let over = 0
  for (const { turns, asked } of conversations) {
    const engine = await open(turns)
    for (const { text, now, category, evidence } of asked)
      for (const budget of budgets) {
        const { messages } = await engine.assemble(text, budget, { now })
        const isOver = priceOf(messages) > budget
        if (isOver) over++
        hits.push({
          category,
          budget,
          hit:
            !isOver &&
            holds(
              messages,
              evidence.map((at) => turns[at].text),
            ),
        })
      }
    await engine.close?.()
  }
  const categories = [...new Set(hits.map(({ category }) => category))]
  const share = (list) =>
    budgets.map((budget) => percent(list.filter((one) => one.budget === budget).map(({ hit }) => hit)))
  const of = (category) => hits.filter((one) => one.category === category)
  return {
    over,
    all: share(hits),
    byCategory: categories.map((name) => [`${name} (${of(name).length / budgets.length})`, share(of(name))]),
  }
}

function holds(messages, evidence) {
  const said = words(messages.map(({ text }) => text).join(' \n '))
  const flat = ` ${said.join(' ')} `
  const have = runs(said)
  return evidence.every((text) => {
    const list = words(text)
    if (list.length < 5) return flat.includes(` ${list.join(' ')} `)
    const wanted = [...runs(list)]
    return wanted.filter((run) => have.has(run)).length >= 0.8 * wanted.length
  })
}

export const percent = (list) => ((100 * list.filter(Boolean).length) / list.length).toFixed(1)
