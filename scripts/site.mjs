// npm run site: builds docs/ into site/dist, which `throughline serve` shows at /guide, with llms.txt and llms-full.txt.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { install } from './lib/prepare.mjs'
import { say, step } from './lib/progress.mjs'
import { fail, node, root } from './lib/run.mjs'
import { collected, llms, llmsFull } from './lib/site-pages.mjs'

const site = join(root, 'site')
const made = join(site, 'pages')

try {
  await install(site, 'the site generator')
  const pages = collected(readPages())
  rmSync(made, { recursive: true, force: true })
  for (const { path, text } of pages) write(join(made, path), text)
  cpSync(join(root, 'docs', 'images'), join(made, 'images'), { recursive: true })
  write(join(made, 'public', 'icon.svg'), readFileSync(join(site, 'icon.svg'), 'utf8'))
  await step('build the site', () =>
    node([join(site, 'node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build', site]),
  )
  writeFileSync(join(site, 'dist', 'llms.txt'), llms(pages))
  writeFileSync(join(site, 'dist', 'llms-full.txt'), llmsFull(pages))
  say(`${pages.length} pages in site/dist: throughline serve shows them at /guide`)
} catch (error) {
  fail(error)
}

/** Every page by the path it has on the site. */
function readPages() {
  const docs = join(root, 'docs')
  const names = readdirSync(docs, { recursive: true })
    .map((name) => name.split('\\').join('/'))
    .filter((name) => name.endsWith('.md') && !name.startsWith('surface/'))
  const read = (path) => readFileSync(path, 'utf8')
  return Object.fromEntries([
    ['index.md', read(join(site, 'index.md'))],
    ['glossary.md', read(join(root, 'GLOSSARY.md'))],
    ['changelog.md', read(join(root, 'CHANGELOG.md'))],
    ...names.sort().map((name) => [posix.normalize(name), read(join(docs, name))]),
  ])
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
