// The size of the sources: lines for each room, and exported names that more than one file makes.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { mostLines, mostRepeatedNames } from './limits.mjs'
import { say } from './progress.mjs'
import { root } from './run.mjs'

/** Prints the figures; throws when one is above its limit. */
export function measures(sources = read()) {
  const rooms = linesOf(sources)
  const lines = Object.values(rooms).reduce((sum, count) => sum + count, 0)
  const { repeated, all } = namesOf(sources)
  const percent = (100 * repeated.length) / all
  say(
    `  lines: ${Object.entries(rooms)
      .map(([room, count]) => `${room} ${count}`)
      .join(', ')}; total ${lines} of ${mostLines}`,
  )
  say(
    `  names that more than one file makes: ${repeated.length} of ${all}, ${percent.toFixed(1)} % of ${mostRepeatedNames} %`,
  )
  if (lines > mostLines)
    throw new Error(`src has ${lines} lines; scripts/lib/limits.mjs allows ${mostLines}. Take something out.`)
  if (percent > mostRepeatedNames)
    throw new Error(
      `${percent.toFixed(2)} % of the exported names are made in more than one file; scripts/lib/limits.mjs allows ${mostRepeatedNames} %. The most repeated: ${repeated
        .slice(0, 12)
        .map(([name, count]) => `${name} (${count})`)
        .join(', ')}`,
    )
}

/** Lines by room, the largest first. */
export function linesOf(sources) {
  const rooms = {}
  for (const [path, text] of Object.entries(sources)) {
    const room = path.split('/')[1].replace(/\.ts$/, '')
    rooms[room] = (rooms[room] ?? 0) + text.split('\n').length - 1
  }
  return Object.fromEntries(Object.entries(rooms).sort(([, a], [, b]) => b - a))
}

/** Exported names, and those that are declared in more than one file, the most frequent first. Re-exports make no name. */
export function namesOf(sources) {
  const files = new Map()
  for (const [path, text] of Object.entries(sources))
    for (const [, name] of text.matchAll(declaration)) files.set(name, (files.get(name) ?? new Set()).add(path))
  const repeated = [...files].map(([name, paths]) => [name, paths.size]).filter(([, count]) => count > 1)
  return { repeated: repeated.sort(([, a], [, b]) => b - a), all: files.size }
}

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const enum|const|let|function\*?|class|interface|type|enum) (\w+)/gm

function read() {
  const entries = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|fixture)\.ts$/.test(path) && !path.startsWith('src/testing/'))
  const texts = paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')])
  // what a command writes is no source
  return Object.fromEntries(texts.filter(([, text]) => !text.startsWith('// Made from ')))
}
