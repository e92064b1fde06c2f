// How the app holds a long conversation, in Chromium over real HTTP: opening it, what is mounted, what a delta costs.
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromiumPath, whyNot } from '../scripts/lib/chromium.mjs'
import { ofLibrary } from './lib/service-data.mjs'
import { table, time, whole } from './lib/table.mjs'
import { answerPieces, calls, lengths, listed, paceMs } from './lib/web-data.mjs'

const limits = { openMs: 1_000, rows: 200, deltaMs: 8, bytes: 200 * 1024 }

export async function web({ quick, say }) {
  if (chromiumPath === null) throw new Error(whyNot)
  const { chromium } = ofLibrary('playwright-core')
  const folder = await mkdtemp(join(tmpdir(), 'throughline-bench-'))
  const server = await host(join(folder, 'web.db'))
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  try {
    const rows = []
    for (const length of lengths) {
      const opened = []
      for (let round = 0; round < (quick ? 3 : 7); round++) opened.push(await open(browser, server.port, `c-${length}`))
      say(`  web: ${whole(length)} messages opened`)
      rows.push({
        length,
        opened: median(opened.map(({ ms }) => ms)),
        work: median(opened.map(({ work }) => work)),
        rows: Math.max(...opened.map(({ rows }) => rows)),
      })
    }
    for (const row of rows) {
      row.delta = await delta(browser, server.port, row.length)
      say(`  web: an answer streamed after ${whole(row.length)} messages`)
    }
    const agent = await several(quick, () => open(browser, server.port, 'c-agent'))
    say(`  web: ${whole(calls)} calls opened`)
    const list = await several(quick, () => listing(browser, server.port))
    say(`  web: ${whole(listed)} conversations listed`)
    const results = { rows, agent, list, bytes: initialBytes(), deltas: answerPieces.length }
    return { ...results, bars: bars(results) }
  } finally {
    await browser.close()
    server.end()
    await rm(folder, { recursive: true, force: true })
  }
}

async function several(quick, work) {
  const all = []
  for (let round = 0; round < (quick ? 3 : 7); round++) all.push(await work())
  return { opened: median(all.map(({ ms }) => ms)), rows: Math.max(...all.map(({ rows }) => rows)) }
}

/** From the beginning of the navigation to the frame in which the list stands; then down to its end. */
async function listing(browser, port) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 } })
  const page = await context.newPage()
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelectorAll('.side-line .row').length < 10) return requestAnimationFrame(look)
      requestAnimationFrame(() => {
        window.ready = performance.now()
      })
    }
    requestAnimationFrame(look)
  })
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.waitForFunction(() => window.ready)
  const ms = await page.evaluate(() => window.ready)
  let rows = 0
  for (let turn = 0; turn < 20; turn++) {
    await page.locator('.side-list').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await setTimeout(60)
    rows = Math.max(rows, await page.locator('.side-line').count())
  }
  await context.close()
  return { ms, rows }
}

/** From the beginning of the navigation to the frame in which the newest message and the field stand. */
async function open(browser, port, id) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  // the time that the page's own thread has worked, however busy the machine is
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.addInitScript(() => {
    const look = () => {
      const there =
        document.querySelectorAll('.entry article').length > 3 && document.querySelector('.composer textarea')
      if (!there) return requestAnimationFrame(look)
      requestAnimationFrame(() => {
        window.ready = performance.now()
      })
    }
    requestAnimationFrame(look)
  })
  await page.goto(`http://127.0.0.1:${port}/#/c/${id}`)
  await page.waitForFunction(() => window.ready)
  const ms = await page.evaluate(() => window.ready)
  const { metrics } = await session.send('Performance.getMetrics')
  const work = metrics.find(({ name }) => name === 'TaskDuration').value * 1_000
  // as far up as a few turns of the wheel go, so that what is mounted on the way counts too
  let rows = await page.locator('.entry').count()
  for (let turn = 0; turn < 5; turn++) {
    await page.mouse.move(700, 400)
    await page.mouse.wheel(0, -2_000)
    await setTimeout(60)
    rows = Math.max(rows, await page.locator('.entry').count())
  }
  await context.close()
  return { ms, work, rows }
}

/** Milliseconds of script for each delta, in the middle of an answer. */
async function delta(browser, port, length) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 } })
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${port}/#/c/c-${length}`)
  await page.locator('.entry article').first().waitFor()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  const field = page.locator('.composer textarea')
  await field.fill('Go on')
  await field.press('Enter')
  await page.locator('article[data-live="true"] .prose').waitFor()
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const of = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0
    return { script: of('ScriptDuration'), task: of('TaskDuration'), at: of('Timestamp') }
  }
  await setTimeout(500)
  const before = await read()
  await setTimeout(answerPieces.length * paceMs * 0.7)
  const after = await read()
  if ((await page.locator('article[data-live="true"]').count()) === 0) throw new Error('the answer ended too early')
  await context.close()
  const deltas = ((after.at - before.at) * 1_000) / paceMs
  return {
    script: ((after.script - before.script) * 1_000) / deltas,
    task: ((after.task - before.task) * 1_000) / deltas,
  }
}

/** The entry and what it imports statically, gzipped. */
function initialBytes() {
  const folder = fileURLToPath(new URL('../dist/web/', import.meta.url))
  const seen = new Set()
  const walk = (name) => {
    if (seen.has(name)) return
    seen.add(name)
    const text = readFileSync(join(folder, 'assets', name), 'utf8')
    for (const [, next] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) walk(next)
  }
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  walk(/src="\/assets\/([\w-]+\.js)"/.exec(page)[1])
  return [...seen].reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(folder, 'assets', name)), { level: 9 }).length,
    0,
  )
}

async function host(file) {
  const child = fork(fileURLToPath(new URL('./lib/web-ours.mjs', import.meta.url)), [file], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const { port } = await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  return { port, end: () => child.connected && child.send('end') }
}

const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]
const kb = (bytes) => `${(bytes / 1024).toFixed(1)} KB`

function bars({ rows, agent, list, bytes }) {
  const [short, middle, long] = rows
  return [
    {
      bar: `Web: ${whole(long.length)} messages open in under ${limits.openMs} ms`,
      ok: long.opened < limits.openMs,
      figure: `${time(long.opened)}, ${time(long.work)} of it work`,
    },
    {
      bar: `Web: fewer than ${limits.rows} messages mounted`,
      ok: rows.every((row) => row.rows < limits.rows),
      figure: `at most ${Math.max(...rows.map((row) => row.rows))}`,
    },
    {
      bar: `Web: an agent's session of ${whole(calls)} calls opens in under ${limits.openMs} ms`,
      ok: agent.opened < limits.openMs && agent.rows < limits.rows,
      figure: `${time(agent.opened)}, at most ${agent.rows} mounted`,
    },
    {
      bar: `Web: ${whole(listed)} conversations are listed in under ${limits.openMs} ms`,
      ok: list.opened < limits.openMs && list.rows < limits.rows,
      figure: `${time(list.opened)}, at most ${list.rows} mounted`,
    },
    {
      bar: `Web: a delta costs under ${limits.deltaMs} ms of script at ${whole(middle.length)} messages`,
      ok: middle.delta.script < limits.deltaMs,
      figure: time(middle.delta.script),
    },
    {
      bar: 'Web: and no more with the length of the conversation',
      ok: long.delta.script < short.delta.script * 1.5 + 0.5,
      figure: rows.map((row) => `${time(row.delta.script)} at ${whole(row.length)}`).join(', '),
    },
    {
      bar: `Web: initial JavaScript under ${kb(limits.bytes)} gzipped`,
      ok: bytes < limits.bytes,
      figure: kb(bytes),
    },
  ]
}

export function webTables({ rows, bytes, deltas }) {
  return [
    table(
      `The app in Chromium; ${kb(bytes)} of script at first; an answer of ${deltas} deltas, one in ${paceMs} ms`,
      ['messages', 'opens in', 'of it work', 'mounted', 'script per delta', 'all work per delta'],
      rows.map((row) => [
        whole(row.length),
        time(row.opened),
        time(row.work),
        String(row.rows),
        time(row.delta.script),
        time(row.delta.task),
      ]),
    ),
  ]
}
