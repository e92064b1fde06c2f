// F-12: readers that do not read, and readers that hardly do, beside one that does.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { answerOf, begin, databaseFor, framesOf, read, startModel, startReplica, textIn, until } from './stage.mjs'

const words = 1_000
/** Garbage may lie about as long as there is room; with little of it, what grows is what is held. */
const little = { NODE_OPTIONS: '--max-old-space-size=256 --max-semi-space-size=8' }

export async function slow({ quick, folder, note }) {
  const [stuck, creeping] = quick ? [10, 3] : [50, 10]
  const runs = quick ? 20 : 60
  const data = await databaseFor('sqlite', folder)
  const model = await startModel()
  const server = await startReplica({ db: data.db, env: { ...model.env, ...little } })
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024
  const streams = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    return Number(/^throughline_streams_open (\d+)/m.exec(text)?.[1])
  }
  const readers = []
  let peak = 0
  const gauge = setInterval(() => {
    peak = Math.max(peak, memory())
  }, 50)

  /** The same work twice: once alone, once beside readers that do not keep up. */
  const phase = async (name) => {
    let [bytes, wrong] = [0, 0]
    const begun = performance.now()
    for (let i = 0; i < runs; i++) {
      const { id } = await begin(server.url, name, `say ${name}${i} ${words} 0`)
      const { text } = await read(server.url, `/api/v1/conversations/${name}/runs/${id}/events`)
      bytes += text.length
      if (textIn(framesOf(text)) !== answerOf(`${name}${i}`, words)) wrong++
    }
    const seconds = Math.round((performance.now() - begun) / 100) / 10
    note(`${name}: ${Math.round(bytes / 1e6)} MB in ${seconds} s, ${Math.round(peak)} MB of memory`)
    return { megabytes: Math.round(bytes / 1e6), wrong, seconds, peak }
  }
  try {
    const alone = await phase('alone')
    await begin(server.url, 'beside', 'say first 1 0')
    await pause(500)
    for (let i = 0; i < stuck + creeping; i++) readers.push(dawdle(new URL(server.url), i >= stuck))
    const opened = await until(async () => (await streams()) >= stuck + creeping)
    const beside = await phase('beside')
    const left = await until(async () => (await streams()) <= creeping, 120_000)
    const grown = Math.round(beside.peak - alone.peak)
    const wrong = alone.wrong + beside.wrong
    const ok = Boolean(opened && left) && wrong === 0 && grown < 64
    const figures = { megabytes: beside.megabytes, wrong, aloneSeconds: alone.seconds, besideSeconds: beside.seconds }
    return { stuck, creeping, ...figures, aloneMb: Math.round(alone.peak), grownMb: grown, left: await streams(), ok }
  } finally {
    clearInterval(gauge)
    for (const end of readers) end()
    await server.kill('SIGKILL')
    model.close()
    await data.close()
  }
}

/** Opens the stream and reads nothing of it, or a kilobyte a second. */
function dawdle({ hostname, port }, isCreeping) {
  const socket = connect(Number(port), hostname)
  const path = '/api/v1/conversations/beside/events?after=0'
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/event-stream\r\n\r\n`)
  socket.pause()
  socket.on('error', () => {})
  const timer = isCreeping ? setInterval(() => socket.read(1_024), 1_000) : undefined
  return () => {
    clearInterval(timer)
    socket.destroy()
  }
}
