// A thread that appends to its own workspace and asks for the health of the server, one request after the other each.
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { quantile } from './measure.mjs'

const { url, key } = workerData
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const text = 'The letter came to the harbour in winter, and nobody knew whose it was. '.repeat(6)
const body = JSON.stringify({ message: { role: 'user', content: text } })
const times = { append: [], health: [] }
let counts = false
let ended = false
parentPort.on('message', (word) => {
  if (word === 'count') counts = true
  else ended = true
})

const again = async (name, path, request) => {
  while (!ended) {
    const began = performance.now()
    const answer = await fetch(url + path, request)
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
    if (counts) times[name].push(performance.now() - began)
    await pause(5)
  }
}

await Promise.all([
  again('append', '/api/v1/conversations/mine/messages', { method: 'POST', headers, body }),
  again('health', '/health', {}),
])
const { append, health } = times
parentPort.postMessage({
  middle: quantile(append, 0.5),
  append: quantile(append, 0.99),
  health: quantile(health, 0.99),
})
parentPort.close()
