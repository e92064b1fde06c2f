// The five specifications: every requirement, its door and the verdict, as the tests say it. Writes the tables of
// docs/specifications; `--run` runs the tests behind them first, and what fails is said in the table.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareTests } from './lib/prepare.mjs'
import { fail, root, vitest } from './lib/run.mjs'

const pages = join(root, 'docs', 'specifications')

try {
  await vitest(['run', '--reporter=dot', 'test/doors/table.test.ts'], { env: { THROUGHLINE_SPECIFICATIONS: 'write' } })
  const rows = readdirSync(pages).sort().flatMap(rowsIn)
  const failed = process.argv.includes('--run') ? await run(rows) : new Set()
  for (const { id, says, verdict, door } of rows) {
    const judged = failed.has(id) ? 'FAILS' : verdict
    process.stdout.write(`${id.padEnd(7)} ${judged.padEnd(18)} ${door.padEnd(24)} ${says}\n`)
  }
  const count = (word) => rows.filter(({ verdict }) => verdict === word).length
  const words = [...new Set(rows.map(({ verdict }) => verdict))].map((word) => `${count(word)} ${word}`)
  process.stdout.write(
    `\n${rows.length} requirements: ${words.join(', ')}${failed.size ? `, ${failed.size} fail` : ''}\n`,
  )
  if (failed.size) process.exitCode = 1
} catch (error) {
  fail(error)
}

function rowsIn(file) {
  const text = readFileSync(join(pages, file), 'utf8')
  const door = /^Door: (.*)$/m.exec(text)?.[1] ?? ''
  return [...text.matchAll(/^\| (S\d-\w+) \| (.*?) \| (.*?) \| (.*?) \|$/gm)].map(([, id, says, judged, proof]) => ({
    id,
    says,
    door,
    verdict: judged.replace(/:.*/, ''),
    proof: [...proof.matchAll(/`([^`]+)`/g)].map(([, path]) => path),
  }))
}

/** The ids of which a test failed. */
async function run(rows) {
  await prepareTests()
  const folder = mkdtempSync(join(tmpdir(), 'throughline-specifications-'))
  const report = join(folder, 'report.json')
  const files = [...new Set(rows.flatMap(({ proof }) => proof))].filter((path) => path.endsWith('.test.ts'))
  await vitest(['run', '--reporter=json', `--outputFile.json=${report}`, ...files], {}).catch(() => {})
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(folder, { recursive: true, force: true })
  const broken = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed'),
  )
  return new Set(broken.flatMap(({ title }) => [...title.matchAll(/\[(S\d-\w+)\]/g)].map(([, id]) => id)))
}
