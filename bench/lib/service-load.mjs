// A load generator that costs little: plain sockets kept alive, one request after the other on each.
import { connect } from 'node:net'

/**
 * Keeps so many connections busy for so long. `next(connection)` gives path and body of each request. Returns how many
 * were answered, how many not with 200, and every time in milliseconds.
 */
export async function load(port, { connections, ms, next }) {
  const times = []
  const faults = []
  const began = performance.now()
  const end = began + ms
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const work = async (socket, connection) => {
    while (performance.now() < end) {
      const bytes = requestOf(next(connection))
      const start = performance.now()
      const { status, body } = await socket.ask(bytes)
      times.push(performance.now() - start)
      if (status !== 200) faults.push(`${status} ${body}`)
    }
  }
  await Promise.all(sockets.map(work))
  const seconds = (performance.now() - began) / 1_000
  for (const socket of sockets) socket.close()
  return { count: times.length, faults, seconds, times }
}

/** One request, its status and its body. */
export async function once(port, request) {
  const socket = await open(port)
  const answer = await socket.ask(requestOf(request))
  socket.close()
  return answer
}

const requestOf = ({ path, body }) =>
  `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

async function open(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let chunks = []
  let wanted = null
  let answered = null
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    // a long body is looked at once, when all of it is there
    if (wanted !== null) wanted -= chunk.length
    if (wanted > 0) return
    const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
    const head = bytes.indexOf('\r\n\r\n')
    if (head < 0) return
    const lines = bytes.toString('latin1', 0, head)
    const length = /content-length: (\d+)/i.exec(lines)?.[1]
    const left = length === undefined ? unended(bytes) : head + 4 + Number(length) - bytes.length
    wanted = length === undefined ? null : left
    if (left > 0) return
    chunks = []
    wanted = null
    answered.resolve({ status: Number(lines.slice(9, 12)), body: bytes.subarray(head + 4) })
  })
  const fail = (error) => answered?.reject(error ?? new Error('the connection ended'))
  socket.on('error', fail)
  socket.on('close', () => fail())
  await new Promise((resolve) => socket.once('connect', resolve))
  return {
    ask: (bytes) =>
      new Promise((resolve, reject) => {
        answered = { resolve, reject }
        socket.write(bytes)
      }),
    close: () => {
      answered = null
      socket.destroy()
    },
  }
}

const unended = (bytes) => (bytes.subarray(-5).toString('latin1') === '0\r\n\r\n' ? 0 : 1)

/** Reads an event stream and counts; `gaps` is how often a number did not follow the one before it. */
export async function listen(port, path) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const seen = { events: 0, last: null, gaps: 0 }
  let rest = ''
  socket.setEncoding('latin1')
  socket.on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      const number = /^id: (\d+)/.exec(line)?.[1]
      if (number === undefined) continue
      if (seen.last !== null && Number(number) !== seen.last + 1) seen.gaps++
      if (seen.last !== null) seen.events++
      seen.last = Number(number)
    }
  })
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n\r\n`)
  return { seen, close: () => socket.destroy() }
}
