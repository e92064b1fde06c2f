// Packs the package and uses the tarball as a stranger would: in a blank project that runs the README, in one that compiles test/pack
// and examples/clients beside the newest SDKs and runs them, and beside its peers (`--no-peers` leaves them out).
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beside, faultsOf, pageOf } from './lib/beside.mjs'
import { snippets } from './lib/markdown.mjs'
import { prepare } from './lib/prepare.mjs'
import { say, step } from './lib/progress.mjs'
import { CommandError, fail, node, npm, root } from './lib/run.mjs'
import { script } from './lib/sandbox.mjs'

const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|E404|E403/
const folder = mkdtempSync(join(tmpdir(), 'throughline-pack-'))
const sdks = join(folder, 'sdks')
const examples = readdirSync(join(root, 'examples', 'clients')).filter((name) => name.endsWith('.ts'))

try {
  await prepare()
  const tarball = await step('pack', pack)
  await step('install the tarball in a blank project', () => install(tarball))
  await step("run the README's first snippet", runReadme)
  await step('run the installed command', () =>
    node([join(folder, 'node_modules', 'throughline', 'dist', 'doors', 'cli.js'), '--help'], { cwd: folder }),
  )
  await step('install the newest SDKs beside the tarball', () => installSdks(tarball))
  await step('compile for Node (nodenext)', () => compile('nodenext', 'nodenext'))
  await step('compile for bundlers', () => compile('esnext', 'bundler'))
  await step('run the programs of test/pack and examples/clients', runPrograms)
  await lint('publint', ['publint', tarball])
  await lint('types as seen by other tools', ['@arethetypeswrong/cli', tarball, '--profile', 'esm-only'])
  if (!process.argv.includes('--no-peers')) {
    const found = await step('the same chat beside its peers', () => beside(tarball, join(folder, 'peers')))
    say(pageOf(found))
    writePage(pageOf(found))
    const faults = faultsOf(found)
    if (faults.length > 0) throw new Error(`Over its limits: ${faults.join('; ')}`)
  }
} catch (error) {
  fail(error)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function pack() {
  const { stdout } = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder])
  const found = JSON.parse(stdout)
  const [{ filename, files, size }] = Array.isArray(found) ? found : Object.values(found)
  const stray = files.filter(
    ({ path }) =>
      !/^(dist\/(doors|web|recall\/table)\/|dist\/.*\.d\.ts$|site\/dist\/|docs\/[a-z-]+\.md$|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/.test(
        path,
      ),
  )
  if (stray.length)
    throw new Error(`The tarball holds files it should not: ${stray.map(({ path }) => path).join(', ')}`)
  say(`  ${files.length} files, ${(size / 1024).toFixed(1)} KB`)
  return join(folder, filename)
}

async function install(tarball) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'blank', private: true, type: 'module' }))
  await npm(['install', '--no-audit', '--no-fund', tarball], { cwd: folder })
}

/** A project of its own: what the SDKs bring must not hide what the package lacks. */
async function installSdks(tarball) {
  cpSync(join(root, 'test', 'pack'), sdks, { recursive: true })
  for (const name of examples) cpSync(join(root, 'examples', 'clients', name), join(sdks, 'examples', name))
  await npm(['install', '--legacy-peer-deps', '--no-audit', '--no-fund', tarball], { cwd: sdks })
}

function compile(module, resolution) {
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc')
  return node([tsc, '-p', '.', '--module', module, '--moduleResolution', resolution], { cwd: sdks })
}

/** Each program asserts what it is about; an example also says what it prints last. */
async function runPrograms() {
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc')
  await node([tsc, '-p', '.', '--noEmit', 'false', '--outDir', 'out'], { cwd: sdks })
  for (const name of ['chat', 'findings', 'middleware']) await node([join('out', `${name}.js`)], { cwd: sdks })
  for (const name of examples) {
    const promised = /^\/\/ prints: (.*)$/m.exec(readFileSync(join(sdks, 'examples', name), 'utf8'))?.[1]
    const { stdout } = await node([join('out', 'examples', name.replace('.ts', '.js'))], { cwd: sdks })
    const said = stdout.trimEnd().split('\n').at(-1)
    if (said !== promised) throw new Error(`examples/clients/${name} printed "${said}" and promises "${promised}"`)
  }
  say(`  ${examples.length} examples, each as it promises`)
}

/** Between its marks in docs/compare.md. */
function writePage(table) {
  const page = join(root, 'docs', 'compare.md')
  const text = readFileSync(page, 'utf8')
  writeFileSync(page, text.replace(/(<!-- beside -->\n)[\s\S]*?(<!-- \/beside -->)/, `$1\n${table}\n\n$2`))
}

async function runReadme() {
  const first = snippets(readFileSync(join(root, 'README.md'), 'utf8')).find((snippet) => snippet.lang !== 'sh')
  if (!first) throw new Error('README.md has no `ts run` snippet')
  writeFileSync(join(folder, 'readme.mjs'), await script(first.lang, first.body))
  await node(['readme.mjs'], { cwd: folder })
}

/** These tools come from the registry on demand; without it they are passed over, and that is said. */
async function lint(label, args) {
  await step(label, () => npm(['exec', '--yes', '--', ...args], { cwd: folder })).catch((error) => {
    if (!(error instanceof CommandError) || !unreachable.test(error.output ?? '')) throw error
    say(`  ${label} was passed over: the package registry did not answer`)
  })
}
