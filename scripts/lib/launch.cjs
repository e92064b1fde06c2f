// The beginning of the single executable: lays the package out in the cache, once for each version of it, and starts it from there.
const { mkdirSync, existsSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { homedir } = require('node:os')
const { dirname, join } = require('node:path')
const { getRawAsset, getAsset } = require('node:sea')
const { pathToFileURL } = require('node:url')
const { deserialize } = require('node:v8')
const { Script, constants } = require('node:vm')
const { brotliDecompressSync } = require('node:zlib')

const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
const folder = join(cache, 'throughline', getAsset('hash', 'utf8'))
if (!existsSync(folder)) {
  // whole under another name first: who is interrupted here begins again
  const next = `${folder}.${process.pid}`
  for (const [path, bytes] of deserialize(brotliDecompressSync(Buffer.from(getRawAsset('files'))))) {
    mkdirSync(dirname(join(next, path)), { recursive: true })
    writeFileSync(join(next, path), bytes)
  }
  try {
    renameSync(next, folder)
  } catch (error) {
    rmSync(next, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

const main = join(folder, 'dist', 'doors', 'cli.js')
// settings that name this program and its script name the script as well
if (process.argv[2] === main) process.argv.splice(2, 1)
process.argv[1] = main
const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
const start = new Script('(file) => import(file)', { importModuleDynamically }).runInThisContext()
start(pathToFileURL(main).href)
