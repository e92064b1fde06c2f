import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../cli.fixture.js'
import { freshDb, type Served, served } from './serve.fixture.js'

beforeAll(build, 120_000)

const open: Served[] = []
afterAll(async () => {
  await Promise.all(open.map(({ stop }) => stop('SIGKILL')))
})

const titles = async ({ url }: Served): Promise<readonly string[]> => {
  const { items } = (await (await fetch(`${url}/api/v1/conversations`)).json()) as { items: { title: string }[] }
  return items.map(({ title }) => title)
}

test('a first start has a demo; once removed it stays away from later starts', async () => {
  const db = freshDb()
  const start = async (): Promise<Served> => {
    const one = await served(['--db', db], { THROUGHLINE_DEMO: 'true' })
    open.push(one)
    return one
  }
  const first = await start()
  expect(await titles(first)).toEqual(['Demo: a week in Kyoto'])
  await fetch(`${first.url}/api/v1/conversations/demo-kyoto`, { method: 'DELETE' })
  await first.stop()
  expect(await titles(await start())).toEqual([])
})

test('no demo where none is wanted', async () => {
  const one = await served(['--db', freshDb()], { THROUGHLINE_DEMO: 'false' })
  open.push(one)
  expect(await titles(one)).toEqual([])
})
