import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// `import.meta.dirname` is newer than the Nodes that must still be told that they are too old
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** A command that ended badly, with everything it printed. */
export class CommandError extends Error {
  constructor(message, code, output) {
    super(message)
    this.code = code
    this.output = output
  }
}

/** Runs a command and gathers what it prints; `{ show: true }` passes it through instead. */
export function run(command, args, { cwd = root, env, show = false, input } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: show ? 'inherit' : 'pipe',
    })
    const out = []
    const all = []
    child.stdout?.on('data', (chunk) => {
      out.push(chunk)
      all.push(chunk)
    })
    child.stderr?.on('data', (chunk) => all.push(chunk))
    child.stdin?.on('error', () => {})
    child.stdin?.end(input ?? '')
    child.on('error', (error) => reject(new CommandError(`${command} could not be started`, error.code, error.message)))
    child.on('close', (code, signal) => {
      const output = Buffer.concat(all).toString()
      if (code === 0) return resolve({ stdout: Buffer.concat(out).toString(), output })
      const error = new CommandError(
        `${[command, ...args].join(' ')} ended with ${code ?? signal}`,
        code ?? signal,
        output,
      )
      reject(Object.assign(error, { shown: show }))
    })
  })
}

export const node = (args, options) => run(process.execPath, args, options)

/** npm as it was started, or the one beside this Node; both work without a shell. */
export function npm(args, options) {
  const started = process.env.npm_execpath
  if (started?.endsWith('.js')) return node([started, ...args], options)
  const beside = join(process.execPath, '..', 'node_modules', 'npm', 'bin', 'npm-cli.js')
  return existsSync(beside) ? node([beside, ...args], options) : run('npm', args, options)
}

/** An installed command-line tool, started by its own file. */
const tool = (path, args, options) => node([join(root, 'node_modules', path), ...args], options)

export const tsc = (args, options) => tool('typescript/bin/tsc', args, options)
export const biome = (args, options) => tool('@biomejs/biome/bin/biome', args, options)
export const vitest = (args, options) => tool('vitest/vitest.mjs', args, options)

/** Prints why the script failed, unless the command has shown it already, and sets the exit code. */
export function fail(error) {
  process.exitCode = Number.isInteger(error.code) ? error.code : 1
  if (error.shown) return
  if (error instanceof CommandError && error.output) process.stderr.write(`${error.output.trimEnd()}\n`)
  process.stderr.write(`\n${error.message}\n`)
}
