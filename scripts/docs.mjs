// Runs the snippets of README.md and docs/. A `ts run`, `js run` or `sh run` block is executed; what it prints must equal
// the `text output` block that follows it. `--write` writes the output into the page. Pages can be named.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { snippets } from './lib/markdown.mjs'
import { prepare } from './lib/prepare.mjs'
import { referencePage } from './lib/reference.mjs'
import { rulesPage } from './lib/rules-page.mjs'
import { fail, root } from './lib/run.mjs'
import { sandbox } from './lib/sandbox.mjs'

const args = process.argv.slice(2)
const write = args.includes('--write')
const named = args.filter((arg) => !arg.startsWith('--')).map((path) => resolve(path))

try {
  await prepare()
  if (named.length === 0 && (await rulesPage(write))) throw new Error('docs/rules.md is stale: npm run docs')
  if (named.length === 0 && (await referencePage(write))) throw new Error('docs/reference is stale: npm run docs')
  const results = []
  for (const page of named.length ? named : pages()) results.push(...(await runPage(page)))
  const broken = results.filter((result) => result.problem)
  const count = (state) => results.filter((result) => result.state === state).length
  for (const { where, problem } of broken) process.stdout.write(`${where}\n${indent(problem)}\n\n`)
  process.stdout.write(
    `snippets: ${count('same')} as written, ${count('written')} rewritten, ${broken.length} broken\n`,
  )
  if (broken.length)
    throw new Error('Some snippets do not do what the page says. Outputs are rewritten by: npm run docs')
} catch (error) {
  fail(error)
}

function pages() {
  const docs = join(root, 'docs')
  const guides = existsSync(docs) ? readdirSync(docs, { recursive: true }).filter((path) => path.endsWith('.md')) : []
  return [join(root, 'README.md'), ...guides.sort().map((path) => join(docs, path))].filter((path) => existsSync(path))
}

/** The snippets of one page share a folder, so that a later one can read what an earlier one wrote. */
async function runPage(page) {
  const before = readFileSync(page, 'utf8')
  const found = snippets(before)
  if (found.length === 0) return []
  const box = sandbox()
  const results = []
  const edits = []
  try {
    for (const [index, snippet] of found.entries()) {
      const where = `${relative(root, page)}:${snippet.line}`
      results.push({ where, ...(await attempt(box, snippet, `snippet-${index + 1}`, edits)) })
    }
  } finally {
    box.close()
  }
  if (edits.length)
    writeFileSync(
      page,
      edits.reduceRight((text, { from, to, body }) => text.slice(0, from) + body + text.slice(to), before),
    )
  return results
}

async function attempt(box, snippet, name, edits) {
  let printed
  try {
    printed = tidy((await box.run({ ...snippet, name })).stdout)
  } catch (error) {
    return {
      state: 'broken',
      problem: `the snippet failed (${error.code ?? 'syntax'})\n${error.output ?? error.message}`,
    }
  }
  const { output } = snippet
  if (!output || output.body === printed) return { state: 'same' }
  if (!write) return { state: 'broken', problem: `the output differs\n${difference(output.body, printed)}` }
  edits.push({ from: output.from, to: output.to, body: printed })
  return { state: 'written' }
}

/** Trailing blanks are invisible on the page, so they are no part of the output. */
function tidy(printed) {
  const lines = printed.split('\n').map((line) => line.trimEnd())
  const text = lines.join('\n').trimEnd()
  return text === '' ? '' : `${text}\n`
}

/** Line by line: `-` is what the page says, `+` is what was printed. */
function difference(said, printed) {
  const a = said.split('\n')
  const b = printed.split('\n')
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return [
    ...a.slice(Math.max(0, start - 2), start).map((line) => `  ${line}`),
    ...a.slice(start, a.length - end).map((line) => `- ${line}`),
    ...b.slice(start, b.length - end).map((line) => `+ ${line}`),
    ...a.slice(a.length - end, a.length - end + 2).map((line) => `  ${line}`),
  ].join('\n')
}

function indent(text) {
  return text.trimEnd().replaceAll(/^/gm, '    ')
}
