// Pictures of the app for the README: the real service with its demo, the system's Chromium, both themes and a phone.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { chromiumPath, whyNot } from './lib/chromium.mjs'
import { repacked } from './lib/png.mjs'
import { prepare } from './lib/prepare.mjs'
import { fail, root } from './lib/run.mjs'

const wide = { width: 1200, height: 740 }
const demo = '#/c/demo-kyoto'
const full = { width: 1440, height: 900 }
const phone = { width: 390, height: 780 }

/** No one is asked but the built-in responder, and so little is sent that something is left out. */
const quiet = {
  THROUGHLINE_DETECT_MODELS: 'false',
  THROUGHLINE_LOG_LEVEL: 'error',
  THROUGHLINE_CONVERSATION_MAX_CONTEXT_TOKENS: '700',
}

/** Name, theme, size, and how to get there. The first ones are those of the README; `--all` makes the others too. */
const shots = [
  ['start-light', 'light', wide, start],
  ['conversation-light', 'light', wide, conversation],
  ['inspector-dark', 'dark', wide, inspector],
  ['guide-light', 'light', full, guide],
  ['search-light', 'light', wide, search],
  ['usage-light', 'light', wide, usage],
  ['phone-dark', 'dark', phone, conversation],
]
const others = [
  ['start-dark', 'dark', wide, start],
  ['conversation-dark', 'dark', wide, conversation],
  ['inspector-light', 'light', wide, inspector],
  ['search-dark', 'dark', wide, search],
  ['share-light', 'light', wide, share],
  ['share-dark', 'dark', wide, share],
  ['usage-dark', 'dark', wide, usage],
  ['memory-light', 'light', wide, memory],
  ['memory-dark', 'dark', wide, memory],
  ['summary-light', 'light', wide, summary],
  ['summary-dark', 'dark', wide, summary],
  ['map-light', 'light', wide, map],
  ['tree-light', 'light', wide, tree],
  ['compare-dark', 'dark', wide, compare],
  ['models-light', 'light', wide, models],
  ['models-dark', 'dark', wide, models],
  ['shortcuts-light', 'light', wide, shortcuts],
  ['missing-light', 'light', wide, missing],
  ['shared-light', 'light', wide, shared],
  ['shared-dark', 'dark', wide, shared],
  ['phone-light', 'light', phone, conversation],
  ['guide-dark', 'dark', full, guide],
  ['start-full-light', 'light', full, start],
  ['start-full-dark', 'dark', full, start],
  ['inspector-full-light', 'light', full, inspector],
  ['inspector-full-dark', 'dark', full, inspector],
  ['phone-guide-light', 'light', phone, guide],
  ['phone-start-light', 'light', phone, start],
  ['phone-start-dark', 'dark', phone, start],
  ['phone-search-dark', 'dark', phone, search],
  ['phone-list-dark', 'dark', phone, list],
  ['phone-usage-light', 'light', phone, usage],
  ['phone-inspector-dark', 'dark', phone, inspector],
  ['phone-share-light', 'light', phone, share],
  ['phone-memory-light', 'light', phone, memory],
  ['phone-summary-dark', 'dark', phone, summary],
  ['phone-shortcuts-light', 'light', phone, shortcuts],
]

async function open(page, address, text) {
  await page.evaluate((to) => (location.hash = to), address)
  await page.getByText(text).first().waitFor()
}

async function start(page) {
  await page.getByText('the hotel is missing').waitFor()
}

async function guide(page) {
  await page.getByRole('link', { name: 'Find it in 3 steps' }).click()
  await page.getByRole('button', { name: 'Next: find the cut' }).click()
  await page.locator('.inspector tbody[data-open="true"]').first().waitFor()
}

function usage(page) {
  return open(page, '#/usage', 'Tokens by day')
}
function memory(page) {
  return open(page, '#/memory', 'Answers in metric units')
}

async function summary(page) {
  await conversation(page)
  for (let at = 0; at < 40 && (await page.locator('.message.summary').count()) === 0; at++) {
    await page.locator('.log').evaluate((log) => log.scrollBy(0, -500))
    await page.waitForTimeout(80)
  }
  await page.locator('.message.summary').getByRole('button', { name: 'open' }).click()
}

async function map(page) {
  await inspector(page)
  await page.getByRole('tab', { name: 'Map' }).click()
}

async function tree(page) {
  await conversation(page)
  await page.getByRole('button', { name: 'The whole conversation' }).click()
}

async function compare(page) {
  await conversation(page)
  await page.getByRole('button', { name: 'show all branches' }).first().click()
  await page
    .getByRole('button', { name: /^Compare with/ })
    .first()
    .click()
}

function models(page) {
  return open(page, '#/models', 'Connect a model')
}
function missing(page) {
  return open(page, '#/nowhere', 'There is no such page')
}

async function list(page) {
  await page.getByRole('button', { name: 'Show conversations' }).click()
}

async function shortcuts(page) {
  await page.keyboard.press('Control+/')
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
}

async function shared(page) {
  const made = await page.request.post('/api/v1/conversations/demo-kyoto/shares', { data: {} })
  await page.goto((await made.json()).url)
  await page.getByText('I can’t say where we sleep').waitFor()
}

function conversation(page) {
  return open(page, demo, 'I can’t say where we sleep')
}

async function inspector(page) {
  await conversation(page)
  const answer = page.locator('article.assistant').last()
  await answer.hover()
  await answer.getByRole('button', { name: /What the model saw/ }).click()
  await page.locator('.inspector tbody[data-open="true"]').first().waitFor()
}

async function search(page) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search messages, titles and commands' }).fill('hotel')
  await page.locator('.hit mark').first().waitFor()
}

async function share(page) {
  await conversation(page)
  await page.getByRole('button', { name: 'Share' }).first().click()
  await page.getByRole('button', { name: 'Make a link' }).waitFor()
}

try {
  await main()
} catch (error) {
  fail(error)
}

async function main() {
  if (chromiumPath === null) throw new Error(whyNot)
  await prepare()
  const wanted = process.argv.includes('--all') ? [...shots, ...others] : shots
  const only = process.argv.slice(2).filter((word) => !word.startsWith('-'))
  const folder = process.env.THROUGHLINE_SHOTS ?? join(root, 'docs', 'images')
  mkdirSync(folder, { recursive: true })
  const desk = mkdtempSync(join(tmpdir(), 'throughline-shots-'))
  const server = await serve(join(desk, 'shots.db'))
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  try {
    await talk(server.url)
    for (const [name, theme, viewport, go] of wanted) {
      if (only.length > 0 && !only.some((word) => name.includes(word))) continue
      const context = await browser.newContext({
        viewport,
        colorScheme: theme,
        reducedMotion: 'reduce',
        locale: 'en-GB',
        baseURL: server.url,
      })
      const page = await context.newPage()
      page.setDefaultTimeout(15_000)
      await page.goto(server.url)
      await page.getByRole('textbox', { name: 'Say something' }).waitFor()
      await go(page)
      await page.waitForTimeout(400)
      writeFileSync(join(folder, `${name}.png`), repacked(await page.screenshot()))
      await context.close()
      process.stdout.write(`${join(folder, `${name}.png`)}\n`)
    }
  } finally {
    await browser.close()
    server.stop()
    await server.ended
    rmSync(desk, { recursive: true, force: true })
  }
}

/** A few questions of one's own, so that there is something to count. */
async function talk(url) {
  const call = (path, body, method = 'POST') =>
    fetch(url + path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const said = [
    ['tea', 'Tea for the office', 'Mira likes oolong, Jonas likes sencha. We have 40 euros.'],
    ['release', 'Release notes', 'The release is on Friday. The window is named 2.4 and the owner is Ana.'],
    ['garden', 'Garden plan', 'The roses stand in the north bed. The compost is ready in May.'],
  ]
  for (const [id, title, first] of said) {
    await call('/api/v1/conversations', { id, title, folder: id === 'garden' ? 'Home' : 'Work', tags: [id] })
    for (const message of [first, 'What did I say first?', 'Who likes what?', 'What did we decide?', 'And when?'])
      await call('/chat', {
        session_id: id,
        message: `${message} ${'Please be exact. '.repeat(id === 'tea' ? 60 : 12)}`,
      })
  }
  await call('/api/v1/conversations/release', { pinned: true }, 'PATCH')
  await call('/api/v1/memories', { kind: 'profile', text: 'Answers in metric units, please.' })
  await call('/api/v1/memories', { kind: 'semantic', text: 'The release window is named 2.4 and belongs to Ana.' })
}

function serve(db) {
  const main = join(root, 'dist', 'doors', 'cli.js')
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--db', db], {
    env: { ...process.env, ...quiet },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
      const url = /address +(http:\S+)/.exec(said)?.[1]
      if (url && said.includes('Ctrl-C')) resolve({ url, ended, stop: () => child.kill('SIGTERM') })
    })
    ended.then(() => reject(new Error(`the service did not start: ${said}`)))
  })
}
