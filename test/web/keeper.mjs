// Keeps one Chromium alive for as long as its own standard input is open, so that no way of ending a test run, not even
// kill -9, leaves a browser behind. Says one line: where it listens.
import { chromium } from 'playwright-core'
import { chromiumPath } from '../../scripts/lib/chromium.mjs'

// the terminal's Ctrl-C reaches the whole group: the end of the input is what counts
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
process.stdout.on('error', () => {})

const server = await chromium.launchServer({
  executablePath: chromiumPath,
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
  args: [
    '--no-sandbox',
    '--no-first-run',
    '--disable-background-networking',
    // a page behind another is drawn all the same
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-background-timer-throttling',
  ],
})
process.stdout.write(`${server.wsEndpoint()}\n`)
process.stdin.resume().on('close', async () => {
  await server.close()
  process.exit(0)
})
