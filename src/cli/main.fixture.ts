/** What is true of any command, as tests of the cases they are given: a few in the first tier, the rest in the second. */
import { expect, test } from 'vitest'
import { operations } from '../operations/list.js'
import { run } from './cli.fixture.js'

type Args = readonly string[]

export function exitsWith(cases: readonly (readonly [code: number, args: Args])[]): void {
  test.each(cases)('is %i for %j', async (code, args) => {
    const ran = await run(args)
    expect(ran.code, ran.stderr).toBe(code)
    if (code !== 0) {
      expect(ran.stderr).not.toBe('')
      expect(ran.stderr).not.toContain('    at ')
      expect(ran.stdout).toBe('')
    }
  })
}

export function hintsAt(cases: readonly (readonly [args: Args, hint: string])[]): void {
  test.each(cases)('of a slip such as %j comes with the name that was meant', async (args, hint) => {
    const { code, stderr } = await run(args)
    expect(code).toBe(2)
    expect(stderr).toContain(hint)
  })
}

export function fitsScreen(paths: readonly Args[]): void {
  const cases = paths.map((path) => [path] as const)
  test.each(cases)('of %j fits a screen of 24 lines and 100 columns and begins with examples', async (path) => {
    const { code, stdout, stderr } = await run([...path, '--help'])
    const lines = stdout.trimEnd().split('\n')
    expect([code, stderr]).toEqual([0, ''])
    expect(lines.length).toBeLessThanOrEqual(24)
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(100)
    expect(lines[2]).toMatch(/^ {2}throughline /)
  })
}

export function saysOf(cases: readonly (readonly [command: string, operation: string])[]): void {
  test.each(cases)('throughline %s --help says what the list says of %s', async (command, name) => {
    const summary = operations.find((one) => one.name === name)?.summary ?? ''
    const [head = ''] = (await run([command, '--help'])).stdout.split('\n')
    expect(head.toLowerCase()).toMatch(new RegExp(`^throughline ${command}\\b.*: `))
    expect(head.toLowerCase().endsWith(`: ${summary.toLowerCase()}`), head).toBe(true)
    expect(head.length).toBeLessThanOrEqual(100)
  })
}

export function colourless(cases: readonly Args[]): void {
  const each = cases.map((args) => [args] as const)
  test.each(each)('gets no colour from %j', async (args) => {
    const { stdout, stderr } = await run(args, { env: { FORCE_COLOR: '1', CI: '1' } })
    expect(stdout + stderr).not.toContain('\x1b')
  })
}
