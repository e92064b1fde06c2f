import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { build, desk, run } from './cli.fixture.js'

beforeAll(build, 120_000)

test('the tour shows what was kept, cut and dropped, finds nothing illegal, fits one screen and says the same each time', async () => {
  const env = { THROUGHLINE_DB: join(desk().folder, 'deep', 'tour.db') }
  const first = await run(['tour'], { env })
  expect(first.stdout).toMatch(/^log +from now on in .*deep.tour\.db$/m)
  const { code, stdout, stderr } = await run(['tour'], { env })
  expect(stdout).toMatch(/^log +kept since \d{4}-\d\d-\d\d \d\d:\d\d in .*tour\.db$/m)
  const rest = (screen: string) => screen.replace(/^log .*$/m, '')
  expect(rest(stdout)).toBe(rest(first.stdout))
  expect([code, stderr]).toEqual([0, ''])
  for (const said of ['● kept', '✂ clipped', '∅ dropped', 'characters omitted', 'at risk', '✔ anthropic'])
    expect(stdout).toContain(said)
  expect(stdout).not.toContain('✖')
  expect(stdout).not.toContain('\x1b')
  const lines = stdout.trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(40)
  expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(100)
})

test('the tour goes on in memory, and says so, where no file can be kept', async () => {
  const file = desk().file('taken', 'this is no folder')
  const { code, stdout, stderr } = await run(['tour'], { env: { THROUGHLINE_DB: join(file, 'tour.db') } })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^log +in memory only: /m)
  expect(stdout).toContain('✔ anthropic')
})

test('the tour names commands that work from where it was started', async () => {
  const env = { THROUGHLINE_DB: join(desk().folder, 'tour.db') }
  const { stdout } = await run(['tour'], { cwd: tmpdir(), env })
  const commands = [...stdout.matchAll(/^ {2}node (\S+) (.+?) {2,}/gm)]
  expect(commands).toHaveLength(3)
  const ran = await Promise.all(
    commands.map(([, script = '', rest = '']) => run(rest.split(' '), { script, cwd: tmpdir() })),
  )
  expect(ran.map(({ code, stdout }) => [code, stdout !== ''])).toEqual([
    [0, true],
    [0, true],
    [0, true],
  ])
})
