import { expect, test } from 'vitest'
import { mapSlowly, nextTurn } from './turn.js'

const busy = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test('of many who give way at once those with long work go on in turns of their own, and others share one (F-19)', async () => {
  const turns: number[] = []
  let [turn, isOver] = [0, false]
  const count = (): void => {
    turn++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const wait = async (ms: number): Promise<void> => {
    await nextTurn()
    turns.push(turn)
    busy(ms)
  }
  await Promise.all(Array.from({ length: 12 }, () => wait(12)))
  expect(new Set(turns.splice(0)).size).toBe(12)
  await Promise.all(Array.from({ length: 120 }, () => wait(0)))
  isOver = true
  expect(turns).toHaveLength(120)
  expect(new Set(turns).size).toBeLessThan(60)
})

test('long work lets others have their turns, keeps its order, and ends with the first failure', async () => {
  let turns = 0
  const others = setInterval(() => turns++, 0)
  const doubled = await mapSlowly([1, 2, 3, 4], (one, at) => {
    busy(12)
    return one * 2 + at
  })
  clearInterval(others)
  expect(doubled).toEqual([2, 5, 8, 11])
  expect(turns).toBeGreaterThan(1)
  const asked: number[] = []
  const failing = mapSlowly([1, 2, 3], (one) => {
    asked.push(one)
    if (one === 2) throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(asked).toEqual([1, 2])
})

test('short pieces of work one after another add up to a turn (F-19)', async () => {
  let turns = 0
  const others = setInterval(() => turns++, 0)
  for (let n = 0; n < 10; n++) await mapSlowly([1, 2], () => busy(4))
  clearInterval(others)
  expect(turns).toBeGreaterThan(2)
})
