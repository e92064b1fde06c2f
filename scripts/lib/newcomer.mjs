// The README as someone reads it who has never heard of this: how many screens it has, and which of our own words it uses.
import { marked } from 'marked'
import { fences } from './markdown.mjs'

export const most = 5
const screen = { width: 1280, height: 800 }

/** Words of the glossary that mean here what they mean everywhere. */
const usual = new Set(
  'conversation branch event record part label share step summary memory profile run task agent adapter budget target turn pair sign counter item spot lead'.split(
    ' ',
  ),
)
/** Words that the README itself says the meaning of, and where. */
const told = {
  window: 'A model only knows what is in its window',
  receipt: 'each message in one line, with the rule, the tokens, and what it costs to bring it back',
  recall: 'What no longer fits is found again',
}

/** Words of the glossary that the README uses and neither explains nor has from everyday English. */
export function strange(readme, glossary) {
  const prose = proseOf(readme)
  const words = [...glossary.matchAll(/^\*\*([^*]+)\*\*/gm)].map(([, word]) => word)
  return [...new Set(words)].filter((word) => {
    if (usual.has(word)) return false
    if (told[word] && prose.includes(told[word])) return false
    return new RegExp(`\\b${word.replace(/y$/, '(y|ie)')}s?\\b`, 'i').test(prose)
  })
}

/** Without code, addresses and headings of tables. */
function proseOf(readme) {
  let prose = readme
  for (const { from, to } of fences(readme).reverse()) prose = prose.slice(0, from) + prose.slice(to)
  return prose
    .replaceAll(/`[^`]*`/g, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[\s*]+/g, ' ')
}

/** Screens of 1280 by 800, set as GitHub sets a page: 980 pixels of text of 16 pixels. */
export async function screens(page, readme, folder) {
  const html = await marked.parse(readme)
  await page.setViewportSize(screen)
  await page.goto(`file://${folder}/LICENSE`)
  await page.setContent(`<base href="file://${folder}/"><style>${look}</style>${html}`, { waitUntil: 'load' })
  const height = await page.evaluate('document.documentElement.scrollHeight')
  return height / screen.height
}

const look = `
  body { max-width: 980px; margin: 45px auto; font: 16px/1.5 sans-serif }
  h1 { font-size: 2em; padding-bottom: .3em } h2 { font-size: 1.5em; padding-bottom: .3em; margin: 24px 0 16px }
  p, ul, table, pre { margin: 0 0 16px } img { max-width: 100% } li + li { margin-top: .25em }
  code { font: 85% monospace } pre { padding: 16px; font: 13.6px/1.45 monospace; overflow: auto } pre code { font: inherit }
  table { border-collapse: collapse } td, th { padding: 6px 13px; border: 1px solid #ddd }`
