// Reads the declarations that tsc emits. They are regular enough to need no compiler: one statement after another,
// each ended by `;` or by the brace that closes its body.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What a door exports, and the declarations that are not exported but stand in the types of what is. */
export function surface(entry) {
  const read = reader()
  const names = exportsOf(entry, read)
  const exported = [...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, at]) => describe(name, at, read))
  const shown = new Set([...names.values()].map(key))
  const reached = []
  const queue = [...names.values()]
  for (let at = queue.shift(); at; at = queue.shift()) {
    for (const next of mentions(at, read)) {
      if (shown.has(key(next))) continue
      shown.add(key(next))
      reached.push(describe(next.name, next, read))
      queue.push(next)
    }
  }
  return { exported, reached: reached.sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

/** What a door exports without a line of TSDoc, and the functions of it that show no example. */
export function undocumented(entry) {
  const read = reader()
  const own = [...exportsOf(entry, read)].filter(([, { external }]) => !external)
  return own.flatMap(([name, at]) => {
    const { declared, documented } = read(at.file)
    const comment = documented.get(at.name)
    if (!comment) return [{ name, lacks: 'comment' }]
    return isFunction(declared.get(at.name)) && !comment.includes('@example') ? [{ name, lacks: 'example' }] : []
  })
}

const isFunction = (statements) =>
  statements.some((text) => /^export declare (function|const [\w$]+: (<[^;]*>)?\()/.test(text))

const key = ({ file, name }) => `${file}#${name}`

function describe(name, at, read) {
  if (at.external)
    return { name, text: `export { ${at.name === name ? name : `${at.name} as ${name}`} } from '${at.file}'` }
  const declared = read(at.file).declared.get(at.name)
  const text = declared
    .map((statement) => statement.replace(/^export (default )?/, '').replace(/^declare /, ''))
    .join('\n')
  return { name, text: at.name === name ? text : `${text}\nexport { ${at.name} as ${name} }` }
}

/** Every exported name of a file with the place where it is declared. */
function exportsOf(file, read, seen = new Set()) {
  const found = new Map()
  if (seen.has(file)) return found
  seen.add(file)
  const { statements, declared, imported } = read(file)
  const locate = (name) => (declared.has(name) ? { file, name } : imported.get(name))
  for (const statement of statements) {
    const star = /^export (?:type )?\* from ['"](.+)['"]/.exec(statement)
    const list = /^export (?:type )?\{([^}]*)\}(?: from ['"](.+)['"])?/.exec(statement)
    if (star) for (const [name, at] of exportsOf(resolve(file, star[1]), read, seen)) found.set(name, at)
    if (!list) continue
    for (const { from, to } of specifiers(list[1])) found.set(to, list[2] ? place(file, list[2], from) : locate(from))
  }
  for (const [name, texts] of declared)
    if (texts.some((text) => text.startsWith('export '))) found.set(name, { file, name })
  return new Map([...found].map(([name, at]) => [name, follow(at, read)]))
}

const place = (file, specifier, name) =>
  specifier.startsWith('.') ? { file: resolve(file, specifier), name } : { file: specifier, name, external: true }

/** From a name a file passes on to the file that declares it. */
function follow(at, read) {
  if (at.external || read(at.file).declared.has(at.name)) return at
  const next = exportsOf(at.file, read).get(at.name)
  if (!next) throw new Error(`${at.file} does not declare ${at.name}`)
  return next
}

/** The declarations of this package that a declaration names. */
function mentions(at, read) {
  if (at.external) return []
  const { declared, imported } = read(at.file)
  const text = declared.get(at.name).join('\n')
  const inline = [...text.matchAll(/import\(["'](\.[^"']+)["']\)\.(\w+)/g)].map(([, from, name]) =>
    place(at.file, from, name),
  )
  const named = [...new Set(text.match(/[A-Za-z_$][\w$]*/g))].flatMap((name) => {
    if (declared.has(name)) return [{ file: at.file, name }]
    return imported.has(name) ? [imported.get(name)] : []
  })
  return [...inline, ...named].filter((next) => !next.external && next.name !== '*').map((next) => follow(next, read))
}

function reader() {
  const files = new Map()
  return (file) => {
    if (!files.has(file)) files.set(file, parse(file, readFileSync(file, 'utf8')))
    return files.get(file)
  }
}

function parse(file, source) {
  const pieces = split(source)
  const statements = pieces.map(({ text }) => text)
  const declared = new Map()
  const documented = new Map()
  const imported = new Map()
  for (const { text: statement, comment } of pieces) {
    const named =
      /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:function|interface|type|class|const enum|enum|const|let|var|namespace) ([\w$]+)/.exec(
        statement,
      )
    const imports = /^import (?:type )?(?:\{([^}]*)\}|\* as ([\w$]+)) from ['"](.+)['"]/.exec(statement)
    if (named) declared.set(named[1], [...(declared.get(named[1]) ?? []), statement])
    if (named && comment) documented.set(named[1], comment)
    if (imports?.[2]) imported.set(imports[2], place(file, imports[3], '*'))
    if (imports?.[1]) for (const { from, to } of specifiers(imports[1])) imported.set(to, place(file, imports[3], from))
  }
  return { statements, declared, documented, imported }
}

const specifiers = (list) =>
  list
    .split(',')
    .map((part) => part.trim().replace(/^type /, ''))
    .filter(Boolean)
    .map((part) => part.split(/\s+as\s+/))
    .map(([from, to = from]) => ({ from, to }))

/** Statements without their comments, each with the TSDoc directly before it. */
function split(source) {
  const token = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[\s\S]/g
  const statements = []
  let depth = 0
  let text = ''
  let comment = ''
  const end = () => {
    if (text.trim()) statements.push({ text: tidy(text), comment })
    text = ''
    comment = ''
  }
  for (const [piece] of source.matchAll(token)) {
    if (piece.startsWith('/**') && !text.trim()) comment = piece
    if (piece.startsWith('//') || piece.startsWith('/*')) continue
    text += piece
    if ('([{'.includes(piece)) depth++
    if (')]}'.includes(piece)) depth--
    const closes =
      piece === '}' &&
      /^\s*(export )?(default )?(declare )?(abstract )?(interface|class|enum|const enum|namespace)\b/.test(text)
    if (depth === 0 && (piece === ';' || closes)) end()
  }
  end()
  return statements
}

const tidy = (text) =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter(Boolean)
    .join('\n')
    .trim()

const resolve = (from, specifier) => join(dirname(from), specifier.replace(/\.js$/, '.d.ts'))
