// F-12: readers that do not read, and readers that hardly do, beside one that does.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { answerOf, begin, databaseFor, framesOf, read, startModel, startReplica, textIn } from './stage.mjs'

export async function slow({ quick, folder, note }) {
  const [stuck, creeping] = quick ? [10, 3] : [50, 10]
  const [words, runs] = [10_000, quick ? 2 : 20]
  const data = await databaseFor('sqlite', folder)
  const model = await startModel()
  const server = await startReplica({ db: data.db, env: model.env })
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024
  const { hostname, port } = new URL(server.url)
  let dropped = 0
  const sockets = []
  try {
    const warm = await begin(server.url, 'warm', `say warm ${words} 0`)
    await read(server.url, `/api/v1/conversations/warm/runs/${warm.id}/events`)
    const base = memory()
    let peak = base
    const gauge = setInterval(() => {
      peak = Math.max(peak, memory())
    }, 50)
    await begin(server.url, 'big', 'say first 1 0')
    await pause(500)
    const open = (drain) => {
      const socket = connect(Number(port), hostname)
      socket.write(
        `GET /api/v1/conversations/big/events?after=0 HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/event-stream\r\n\r\n`,
      )
      socket.pause()
      socket.on('close', () => dropped++)
      socket.on('error', () => {})
      const timer = drain && setInterval(() => socket.read(1_024), 1_000)
      sockets.push({ socket, timer })
    }
    for (let i = 0; i < stuck; i++) open(false)
    for (let i = 0; i < creeping; i++) open(true)
    let [bytes, wrong] = [0, 0]
    const begun = performance.now()
    for (let i = 0; i < runs; i++) {
      const { id } = await begin(server.url, 'big', `say big${i} ${words} 0`)
      const { text } = await read(server.url, `/api/v1/conversations/big/runs/${id}/events`)
      bytes += text.length
      if (textIn(framesOf(text)) !== answerOf(`big${i}`, words)) wrong++
      note(`${Math.round(bytes / 1e6)} MB read, ${Math.round(peak - base)} MB grown`)
    }
    const healthySeconds = (performance.now() - begun) / 1_000
    // those that take nothing are dropped after a minute
    const deadline = performance.now() + 90_000
    while (dropped < stuck && performance.now() < deadline) await pause(500)
    clearInterval(gauge)
    const grown = Math.round(peak - base)
    return {
      stuck,
      creeping,
      megabytes: Math.round(bytes / 1e6),
      healthySeconds: Math.round(healthySeconds * 10) / 10,
      wrong,
      grownMb: grown,
      dropped,
      ok: wrong === 0 && grown < 64 && dropped >= stuck,
    }
  } finally {
    for (const { socket, timer } of sockets) {
      clearInterval(timer)
      socket.destroy()
    }
    await server.kill('SIGKILL')
    model.close()
    await data.close()
  }
}
