// npm run release: everything that must hold before a version is given away, then the files of it in release/:
// the tarball, the site, the executable, checksums and the notes out of the changelog. `--files` makes only the files.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare } from './lib/prepare.mjs'
import { say, step } from './lib/progress.mjs'
import { fail, node, npm, root, run } from './lib/run.mjs'

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const folder = join(root, 'release')
const script = (file, ...args) => node([join(root, 'scripts', file), ...args], { show: true })

try {
  await prepare()
  if (!process.argv.includes('--files')) {
    const { stdout } = await run('git', ['status', '--porcelain'])
    if (stdout.trim() !== '') throw new Error(`Commit first: a release is made of what is committed.\n${stdout}`)
    await script('test.mjs', '--all', '--gates')
    for (const file of ['pack', 'installs', 'examples', 'tutorials', 'nodes']) await script(`${file}.mjs`)
  }
  const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  await script('site.mjs')
  await step('make the tarball', () => npm(['pack', '--ignore-scripts', '--pack-destination', folder]))
  await step('pack the site', () =>
    run('tar', ['-czf', join(folder, `${name}-${version}-site.tgz`), '-C', join(root, 'site', 'dist'), '.']),
  )
  if (process.platform === 'linux') await script('executable.mjs')
  writeFileSync(join(folder, 'NOTES.md'), notes)
  writeFileSync(join(folder, 'SHA256SUMS'), sums())
  say(`release/ has ${readdirSync(folder).sort().join(', ')}`)
  say('sha256sum -c SHA256SUMS checks them; npm publish gives the tarball away')
} catch (error) {
  fail(error)
}

/** What the changelog says of this version; before it has a number, what is not released yet. */
function notesOf(changelog) {
  const parts = changelog.split(/^## /m).slice(1)
  const found = [`[${version}]`, '[Unreleased]']
    .map((head) => parts.find((part) => part.startsWith(head)))
    .find(Boolean)
  if (!found) throw new Error(`CHANGELOG.md says nothing of ${version}`)
  return `# ${name} ${version}\n\n${found.slice(found.indexOf('\n')).trim()}\n`
}

function sums() {
  const files = readdirSync(folder).sort()
  const hash = (file) =>
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex')
  return files.map((file) => `${hash(file)}  ${file}\n`).join('')
}
