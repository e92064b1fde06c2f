// Runs every client and every public suite in test/clients and writes docs/dialects-table.md.
// `--link` only makes the link by which the examples in examples/clients find the clients.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { linkClients } from './lib/link-clients.mjs'
import { install, prepare } from './lib/prepare.mjs'
import { CommandError, fail, root, vitest } from './lib/run.mjs'

const clients = join(root, 'test', 'clients')
const page = join(root, 'docs', 'dialects-table.md')

try {
  if (!process.argv.includes('--link')) {
    await prepare()
    await install(clients, 'the clients of the tests')
  }
  linkClients()
  if (!process.argv.includes('--link')) {
    const { files, failed } = await judge()
    writeFileSync(page, pageOf(files))
    process.stdout.write(readFileSync(page, 'utf8'))
    if (failed) throw new Error('Some of them failed.')
  }
} catch (error) {
  fail(error)
}

/** What every file of tests came to, in the words of vitest. */
async function judge() {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-clients-'))
  const report = join(folder, 'report.json')
  try {
    const failed = await vitest(['run', 'test/clients', '--reporter=json', `--outputFile.json=${report}`]).then(
      () => false,
      (error) => {
        if (error instanceof CommandError) return true
        throw error
      },
    )
    return { files: JSON.parse(readFileSync(report, 'utf8')).testResults, failed }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function pageOf(files) {
  const rows = files.map(rowOf).sort((one, other) => (one.name < other.name ? -1 : 1))
  const reasons = [...new Set(rows.flatMap((row) => row.reasons))]
  return [
    '# Clients and suites',
    '',
    'Written by `npm run clients`: what each of them came to when it was run against this package.',
    '',
    '| tests | with | cases | passed | known to fail | failed |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
    ...rows.map(
      ({ name, uses, cases, passed, known, failed }) =>
        `| \`${name}\` | ${uses} | ${cases} | ${passed} | ${known} | ${failed} |`,
    ),
    '',
    ...(reasons.length > 0 ? ['Known to fail:', '', ...reasons.map((reason) => `- ${reason}`), ''] : []),
  ].join('\n')
}

/** A case that is known to fail says so in its title, with the reason. */
function rowOf({ name, status, assertionResults }) {
  const known = assertionResults.filter(({ title }) => / \(fails: .*\)$/.test(title))
  const failed = assertionResults.filter((one) => one.status === 'failed').length
  const passed = assertionResults.filter((one) => one.status === 'passed').length
  return {
    name: basename(name),
    uses: packagesOf(name),
    cases: assertionResults.length,
    passed: passed - known.filter((one) => one.status === 'passed').length,
    known: known.length,
    // a file that could not be read at all
    failed: failed === 0 && status === 'failed' ? 1 : failed,
    reasons: known.map(({ title }) => title.replace(/ \(fails: (.*)\)$/, ': $1')),
  }
}

/** The clients that a file imports, with the versions that are installed. */
function packagesOf(file) {
  const { dependencies } = JSON.parse(readFileSync(join(clients, 'package.json'), 'utf8'))
  const own = file.endsWith('examples.all.test.ts') ? examples() : readFileSync(file, 'utf8')
  const fixtures = [...own.matchAll(/from '\.\/([\w-]+\.fixture)\.js'/g)].map(([, name]) => join(clients, `${name}.ts`))
  const source = [own, ...fixtures.map((fixture) => readFileSync(fixture, 'utf8'))].join('\n')
  const imported = new Set([...source.matchAll(/from '((?:@[^/']+\/)?[^/'.]+)/g)].map(([, name]) => name))
  const used = Object.keys(dependencies).filter((name) => imported.has(name))
  return used.map((name) => `\`${name}\` ${versionOf(name)}`).join(', ')
}

function examples() {
  const folder = join(root, 'examples', 'clients')
  const names = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
}

function versionOf(name) {
  return JSON.parse(readFileSync(join(clients, 'node_modules', name, 'package.json'), 'utf8')).version
}
