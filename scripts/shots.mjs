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

/** Name, theme, size, and how to get there. Those of the README; `--all` makes every screen instead, beside the sources. */
const shots = [
  ['start-light', 'light', wide, start],
  ['conversation-light', 'light', wide, conversation],
  ['inspector-dark', 'dark', wide, inspector],
  ['guide-light', 'light', full, guide],
  ['search-light', 'light', wide, search],
  ['usage-light', 'light', wide, usage],
  ['phone-dark', 'dark', phone, conversation],
  ['first-minute', 'light', wide, film, 'webp'],
]
/** Every screen, in both themes and three widths. */
const screens = {
  start,
  conversation,
  inspector,
  map,
  request: (page) => tab(page, 'Request'),
  time: (page) => tab(page, 'Over time'),
  'what-if': (page) => tab(page, 'What if'),
  guide,
  search,
  share,
  shared,
  usage,
  memory,
  summary,
  tree,
  compare,
  models,
  tools: (page) => open(page, '#/tools', 'Any MCP server will do'),
  settings: (page) => open(page, '#/settings', 'What holds everywhere'),
  german,
  selected,
  shortcuts,
  missing,
}
const others = Object.entries(screens).flatMap(([name, go]) =>
  Object.entries({ full, wide, phone }).flatMap(([size, viewport]) =>
    ['light', 'dark'].map((theme) => [`${name}-${size}-${theme}`, theme, viewport, go]),
  ),
)

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

async function tab(page, name) {
  await inspector(page)
  await page.getByRole('tab', { name, exact: true }).click()
}

/** In the other language; another page is loaded then. */
async function german(page) {
  await open(page, '#/settings', 'What holds everywhere')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor()
  await open(page, demo, 'I can’t say where we sleep')
}

async function selected(page) {
  const narrow = page.viewportSize().width <= 820
  if (narrow) await page.getByRole('button', { name: 'Show conversations' }).click()
  for (const row of [0, 1]) {
    await page
      .locator('.row a')
      .nth(row)
      .click({ modifiers: ['Control'] })
  }
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

/** The first minute of someone new, as it happens on the screen: what stands still is one picture, shown for longer. */
async function film(page) {
  const pictures = []
  const shoot = async (ms) => {
    for (let spent = 0; spent < ms; spent += 200) {
      const picture = await page.screenshot()
      const last = pictures.at(-1)
      if (last?.picture.equals(picture)) last.delay += 200
      else pictures.push({ picture, delay: 200 })
      await page.waitForTimeout(100)
    }
  }
  const click = async (role, name) => {
    const button = page.getByRole(role, { name }).first()
    await button.hover()
    await shoot(400)
    await button.click()
  }
  await start(page)
  await shoot(2_400)
  await click('link', 'Find it in 3 steps')
  await page.getByRole('button', { name: 'Next: find the cut' }).waitFor()
  await shoot(2_400)
  await click('button', 'Next: find the cut')
  await page.locator('.inspector tbody[data-open="true"]').first().waitFor()
  await shoot(2_800)
  await click('button', 'Next: pin it')
  await shoot(2_000)
  await click('button', 'Pin and ask again')
  await page.getByText('Now it knows').first().waitFor()
  await shoot(3_600)
  const { default: sharp } = await import('sharp')
  const frames = pictures.map(({ picture }) => picture)
  const delay = pictures.map((one) => one.delay)
  return sharp(frames, { join: { animated: true } })
    .webp({ delay, loop: 0, quality: 70, effort: 5, minSize: true })
    .toBuffer()
}

try {
  await main()
} catch (error) {
  fail(error)
}

async function main() {
  if (chromiumPath === null) throw new Error(whyNot)
  await prepare()
  const only = process.argv.slice(2).filter((word) => !word.startsWith('-'))
  const isAll = process.argv.includes('--all')
  const folder =
    process.env.THROUGHLINE_SHOTS ?? join(root, ...(isAll ? ['.throughline', 'shots'] : ['docs', 'images']))
  mkdirSync(folder, { recursive: true })
  const desk = mkdtempSync(join(tmpdir(), 'throughline-shots-'))
  const server = await serve(join(desk, 'shots.db'))
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  try {
    await talk(server.url)
    for (const [name, theme, viewport, go, ending = 'png'] of isAll ? others : shots) {
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
      await page.getByRole('textbox', { name: 'Ask anything' }).waitFor()
      const made = await go(page)
      await page.waitForTimeout(400)
      const file = join(folder, `${name}.${ending}`)
      writeFileSync(file, ending === 'png' ? repacked(await page.screenshot()) : made)
      await context.close()
      process.stdout.write(`${file}\n`)
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
