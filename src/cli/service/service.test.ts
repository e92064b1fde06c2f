import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, run } from '../cli.fixture.js'
import { units } from './units.js'

const there = (name: string): boolean => spawnSync(name, ['--version']).status === 0

/** Everything that the formats give a meaning of their own. */
const hostile = {
  command: [process.execPath, '/opt/my tools/100%/$HOME/"x"/main.js', 'serve', '--db', '/srv/<a&b>/chat.db'],
  folder: '/tmp',
  home: '/home/someone',
}

describe.skipIf(process.platform !== 'linux')('throughline service', () => {
  beforeAll(build)

  test('is written, left alone when it is right, and taken away', async () => {
    const home = mkdtempSync(join(tmpdir(), 'throughline-service-'))
    const file = join(home, '.config', 'systemd', 'user', 'throughline.service')
    // no systemctl here: the test must not touch the services of whoever runs it
    const given = { env: { HOME: home, PATH: join(home, 'none') }, cwd: home }

    const shown = await run(['service', 'show', '--port', '8123'], given)
    expect(shown.stdout).toContain(file)
    expect(existsSync(file)).toBe(false)

    const installed = await run(['service', 'install', '--port', '8123', '--db', 'chat.db'], given)
    expect(installed).toMatchObject({ code: 0, stderr: '' })
    expect(installed.stdout).toContain('systemctl --user enable --now throughline.service')
    const text = readFileSync(file, 'utf8')
    expect(text).toContain(`"serve" "--db" "${join(home, 'chat.db')}" "--port" "8123"`)

    const again = await run(['service', 'install', '--port', '8123', '--db', 'chat.db'], given)
    expect(again.stdout).toContain('is as it should be')
    expect(readFileSync(file, 'utf8')).toBe(text)

    expect((await run(['service', 'uninstall'], given)).stdout).toContain('removed')
    expect(existsSync(file)).toBe(false)
    expect((await run(['service', 'uninstall'], given)).stdout).toContain('nothing to take away')
  })

  test('says what is wrong with a setting before anything is written', async () => {
    const home = mkdtempSync(join(tmpdir(), 'throughline-service-'))
    const { code, stderr } = await run(['service', 'install', '--port', 'many'], { env: { HOME: home }, cwd: home })
    expect(code).toBe(78)
    expect(stderr).toContain('port')
    expect(existsSync(join(home, '.config'))).toBe(false)
  })
})

describe('what the systems themselves say of the files', () => {
  test.skipIf(!there('systemd-analyze'))('systemd takes the unit', () => {
    const folder = mkdtempSync(join(tmpdir(), 'throughline-unit-'))
    const verified = (text: string) => {
      const file = join(folder, 'throughline.service')
      writeFileSync(file, text)
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--user', file], {
        encoding: 'utf8',
        env: { ...process.env, XDG_RUNTIME_DIR: folder },
      })
      return { status, said: stderr.split('\n').filter((line) => line.includes('throughline.service')) }
    }
    const text = units.linux?.(hostile).text ?? ''
    expect(verified(text)).toEqual({ status: 0, said: [] })
    const broken = verified(text.replace('UMask=0077', 'UMask=many').replace('Restart=on-failure', 'Restart=perhaps'))
    expect(broken.said).not.toEqual([])
  })

  test.skipIf(!there('python3'))('a reader of property lists finds every word of the command', () => {
    const text = units.darwin?.(hostile).text ?? ''
    const script = 'import json,plistlib,sys;print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))'
    const { stdout } = spawnSync('python3', ['-c', script], { input: text, encoding: 'utf8' })
    expect(JSON.parse(stdout)).toMatchObject({ ProgramArguments: hostile.command, RunAtLoad: true, Umask: 0o77 })
  })
})
