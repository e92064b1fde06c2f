import { beforeAll, expect, test } from 'vitest'
import { build } from '../cli.fixture.js'
import { type Stored, stored } from '../stored.fixture.js'

let at: Stored
beforeAll(async () => {
  await build()
  at = await stored()
}, 120_000)

test.each([['rename', 'tea'], ['tag', 'tea'], ['pin'], ['archive']])(
  '%s without what it needs says so',
  async (...args) => {
    const ran = await at.tl(args)
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain('needed')
  },
)
