import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { liveStage, refusedBy } from '../tasks.fixture.js'
import { crew } from './agents.fixture.js'

describe('the folder of a task', () => {
  const place = () => {
    const root = mkdtempSync(join(tmpdir(), 'hlp-tasks-'))
    mkdirSync(join(root, 'in', 'deep'), { recursive: true })
    mkdirSync(join(root, 'out'))
    writeFileSync(join(root, 'in', 'file'), 'x')
    symlinkSync(join(root, 'out'), join(root, 'in', 'link'))
    return root
  }

  test('is where its agents work', async () => {
    const root = place()
    const { tasks, run } = await crew('pwd', { roots: [join(root, 'in')] }, join(root, 'in', 'deep'))
    const agent = await run()
    expect((await tasks.output(agent.id)).text.trim().endsWith('/in/deep')).toBe(true)
  })

  test.each([
    ['deep', 'must be an absolute path'],
    ['{in}/../out', 'is outside'],
    ['{in}/link', 'is outside'],
    ['{in}/../../../../../../etc', 'is outside'],
    ['/', 'is outside'],
    ['{in}x', 'is outside'],
    ['{in}/nowhere', 'does not exist'],
    ['{in}/file', 'is no folder'],
    ['file:///etc', 'must be an absolute path'],
  ])('%s is told when a task is registered and refused when an agent is deployed', async (path, reason) => {
    const root = place()
    const given = path.replace('{in}', join(root, 'in'))
    const { task, run } = await crew('pwd', { roots: [join(root, 'in')] }, given)
    expect(task.client_cwd).toBe(given)
    expect(await refusedBy(run())).toMatchObject({
      code: 'invalid',
      field: 'client_cwd',
      message: expect.stringContaining(reason),
    })
  })

  test('is refused altogether where no folder is allowed (B1)', async () => {
    const root = place()
    const { run } = await crew('pwd', { roots: [] }, join(root, 'in'))
    expect(await refusedBy(run())).toMatchObject({ code: 'invalid', message: expect.stringContaining('agent_roots') })
  })

  test('and the files that matter are only words until then', async () => {
    const { tasks } = liveStage()
    const marker = join(tmpdir(), `hlp-tasks-${process.pid}-never`)
    const { task } = await tasks.register({
      description: 'x',
      client_cwd: `${marker}/\n; touch ${marker}`,
      relevant_files: [`../../${marker}`, '/etc/shadow', 'http://127.0.0.1:1/x'],
    })
    expect((await tasks.prompt(task.id)).text).toContain('/etc/shadow')
    expect(existsSync(marker)).toBe(false)
  })
})
