import { execFileSync } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import { build, run } from './cli.fixture.js'

beforeAll(build, 120_000)

test.runIf(process.platform === 'linux')('bash completes commands, commands below them, and options', async () => {
  const { stdout: script } = await run(['completion', 'bash'])
  const complete = (...words: string[]) =>
    execFileSync('bash', [
      '-c',
      `${script}\nCOMP_WORDS=(throughline ${words.join(' ')}); COMP_CWORD=${words.length}; _throughline; echo "\${COMPREPLY[@]}"`,
    ])
      .toString()
      .trim()
  expect(complete('cha')).toBe('chat')
  expect(complete('task', 'de')).toBe('deploy')
  expect(complete('task', 'deploy', '@last', '--ru')).toBe('--runner')
  expect(complete('search', 'list', '--si')).toBe('--since')
  expect(complete('call', 'memories.ad')).toBe('memories.add')
  expect(complete('call', 'memories.add', 'ki')).toBe('kind=')
})

test('zsh and fish get scripts of their own, and no other shell does', async () => {
  expect((await run(['completion', 'zsh'])).stdout).toMatch(/^#compdef throughline\n/)
  expect((await run(['completion', 'fish'])).stdout).toContain("-a 'chat'")
  expect(await run(['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' })
})
