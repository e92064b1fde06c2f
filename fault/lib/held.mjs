// Loaded into a server: the longest that its loop was held, and how much of that the process was at work. On a machine that others
// share the rest is theirs. The first seconds, in which it loads itself, are not counted, nor is what SIGUSR2 asks for: to tidy up.
import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const file = process.env.THROUGHLINE_FAULT_HELD
const [everyMs, startSeconds] = [10, 10]
if (file && isMainThread && process.argv.includes('serve')) {
  let longestMs = 0
  let [last, before] = [performance.now(), process.cpuUsage()]
  const look = () => {
    const [now, used] = [performance.now(), process.cpuUsage(before)]
    // threads beside the loop count, too: it is no less than what the loop itself took
    const busyMs = Math.min(now - last - everyMs, (used.user + used.system) / 1_000)
    if (busyMs > longestMs && process.uptime() > startSeconds) {
      longestMs = busyMs
      writeFileSync(file, String(Math.round(longestMs)))
    }
    ;[last, before] = [performance.now(), process.cpuUsage()]
  }
  setInterval(look, everyMs).unref()
  setFlagsFromString('--expose-gc')
  const tidy = runInNewContext('gc')
  process.on('SIGUSR2', () => {
    look()
    tidy()
    const { heapUsed, external } = process.memoryUsage()
    writeFileSync(`${file}.kept`, String(heapUsed + external))
    ;[last, before] = [performance.now(), process.cpuUsage()]
  })
}
