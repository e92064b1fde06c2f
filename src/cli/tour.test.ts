import { tmpdir } from 'node:os'
import { beforeAll, expect, test } from 'vitest'
import { build, run, tour } from './cli.fixture.js'

beforeAll(build, 120_000)

test('the tour shows every fate, finds nothing illegal, fits one screen and says the same each time', async () => {
  const [{ code, stdout, stderr }, again] = await Promise.all([run([], { script: tour }), run([], { script: tour })])
  expect(again?.stdout).toBe(stdout)
  expect([code, stderr]).toEqual([0, ''])
  for (const said of ['● kept', '✂ clipped', '⊂ folded', '∅ dropped', 'characters omitted', 'at risk', '✔ anthropic'])
    expect(stdout).toContain(said)
  expect(stdout).not.toContain('✖')
  expect(stdout).not.toContain('\x1b')
  const lines = stdout.trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(40)
  expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(100)
})

test('the tour names commands that work from where it was started', async () => {
  const { stdout } = await run([], { script: tour, cwd: tmpdir() })
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
