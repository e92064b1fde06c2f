// npm run runtimes: one program from the packed package in every runtime that can be had: it must say the same in all of them.
// Node 22 and 24, Deno, Bun and workerd (miniflare) come from the registry; what cannot be had is said and passed over.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findChromium } from './lib/chromium.mjs'
import { prepare } from './lib/prepare.mjs'
import { say, step } from './lib/progress.mjs'
import { fail, node, npm, root, run } from './lib/run.mjs'

const folder = mkdtempSync(join(tmpdir(), 'throughline-runtimes-'))
const app = join(folder, 'app')
const platform = `${process.platform}-${process.arch}`

try {
  await prepare()
  await step('install the packed package', install)
  const wanted = await step(`Node ${process.versions.node}`, () => printed(process.execPath, ['main.mjs']))
  const others = {
    'Node 22': () => nodeOf(22),
    'Node 24': () => nodeOf(24),
    Deno: deno,
    Bun: bun,
    workerd,
    Chromium: chromium,
  }
  const seen = [`Node ${process.versions.node}`]
  const failed = []
  for (const [name, work] of Object.entries(others)) {
    const found = await step(name, work).catch((error) => ({ error }))
    if (found?.error) say(`  ${name}: ${found.error.output ?? found.error.message}`)
    if (found === null) say(`  ${name} cannot be had here`)
    else if (found?.said === wanted) seen.push(found.version ? `${name.split(' ')[0]} ${found.version}` : name)
    else failed.push(name)
  }
  say(`  ${wanted}`)
  process.stdout.write(`The same in ${seen.length} runtimes: ${seen.join(', ')}\n`)
  if (failed.length > 0) throw new Error(`Something else, or nothing, in ${failed.join(', ')}`)
} catch (error) {
  fail(error)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function install() {
  mkdirSync(app)
  const { stdout } = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder])
  const packed = JSON.parse(stdout)
  const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed)
  writeFileSync(join(app, 'package.json'), '{ "private": true, "type": "module" }')
  cpSync(join(root, 'test', 'pack', 'runtime.mjs'), join(app, 'runtime.mjs'))
  writeFileSync(join(app, 'main.mjs'), "import { run } from './runtime.mjs'\nconsole.log(await run())\n")
  await npm(['install', '--no-audit', '--no-fund', join(folder, filename)], { cwd: app })
}

async function printed(command, args) {
  const { stdout } = await run(command, args, { cwd: app })
  return stdout.trim().split('\n').at(-1)
}

/** A package of the registry in a folder of its own; null when it cannot be had. */
async function had(name) {
  const here = join(folder, name.replaceAll(/\W/g, '-'))
  mkdirSync(here)
  writeFileSync(join(here, 'package.json'), '{ "private": true }')
  const there = await npm(['install', '--no-audit', '--no-fund', name], { cwd: here }).catch(() => null)
  return there && join(here, 'node_modules')
}

async function nodeOf(major) {
  const modules = await had(`node-${platform}@${major}`)
  if (!modules) return null
  const command = join(modules, `node-${platform}`, 'bin', 'node')
  return { said: await printed(command, ['main.mjs']), version: (await printed(command, ['-v'])).slice(1) }
}

async function deno() {
  const modules = await had('deno')
  if (!modules) return null
  const command = join(modules, '.bin', 'deno')
  const [, version] = /deno (\S+)/.exec((await run(command, ['--version'])).stdout) ?? []
  return {
    said: await printed(command, ['run', '-A', '--no-remote', '--node-modules-dir=manual', 'main.mjs']),
    version,
  }
}

async function bun() {
  const modules = await had('bun')
  if (!modules) return null
  const command = join(modules, '.bin', 'bun')
  return { said: await printed(command, ['main.mjs']), version: await printed(command, ['--version']) }
}

/** The program and what it imports of the installed package as one file without Node. */
async function bundled(text) {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: app },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    // as where a bundle has no address
    define: { 'import.meta.url': 'undefined' },
    logLevel: 'silent',
  })
  return outputFiles[0].text
}

async function workerd() {
  const modules = await had('miniflare')
  if (!modules) return null
  const require = createRequire(join(modules, 'x.js'))
  const script = await bundled(
    "import { run } from './runtime.mjs'\nexport default { fetch: async () => new Response(await run()) }",
  )
  const file = join(folder, 'worker.mjs')
  writeFileSync(file, script)
  const program = `
    import { readFileSync } from 'node:fs'
    const { Miniflare } = await import(${JSON.stringify(pathToFileURL(require.resolve('miniflare')).href)})
    const worker = new Miniflare({ modules: [{ type: 'ESModule', path: 'worker.mjs', contents: readFileSync(${JSON.stringify(file)}, 'utf8') }], compatibilityDate: '2026-01-01' })
    console.log(await (await worker.dispatchFetch('http://127.0.0.1/')).text())
    await worker.dispose()
    process.exit(0)`
  writeFileSync(join(folder, 'mini.mjs'), program)
  // miniflare may ask for a newer Node than this one
  const newer = join(
    folder,
    `node-${platform}-22`.replaceAll(/\W/g, '-'),
    'node_modules',
    `node-${platform}`,
    'bin',
    'node',
  )
  const { stdout } = await run(newer, [join(folder, 'mini.mjs')], { cwd: folder }).catch(() =>
    node([join(folder, 'mini.mjs')], { cwd: folder }),
  )
  return { said: stdout.trim().split('\n').at(-1), version: require('workerd/package.json').version }
}

async function chromium() {
  const executablePath = findChromium()
  if (executablePath === null) return null
  const playwright = await import('playwright-core')
  const browser = await playwright.chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage()
    // a secure context, as every page that is served: WebCrypto is there
    await page.route('http://localhost/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    )
    await page.goto('http://localhost/')
    const source = await bundled("import { run } from './runtime.mjs'\nglobalThis.said = run()")
    await page.addScriptTag({ type: 'module', content: source })
    await page.waitForFunction(() => globalThis.said !== undefined)
    return { said: await page.evaluate(() => globalThis.said), version: browser.version() }
  } finally {
    await browser.close()
  }
}
