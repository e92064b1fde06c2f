import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freshDb, served } from './serve.fixture.js'

const run = promisify(execFile)

test('the two requests of the README: the second answer knows the first message', async () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  const lines = readme.split('\n').filter((line) => line.startsWith('curl '))
  expect(lines).toHaveLength(2)
  const server = await served(['--db', freshDb()])
  try {
    const answers: string[] = []
    for (const line of lines) {
      const { stdout } = await run('sh', ['-c', line.replaceAll('http://127.0.0.1:7333', server.url)])
      answers.push(JSON.parse(stdout).response)
    }
    expect(answers[1]).toContain('My cat is called Miso.')
  } finally {
    await server.stop()
  }
})
