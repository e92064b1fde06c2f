// Says what is being done and how long it took: a spinner on a terminal, plain lines elsewhere.

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const live = Boolean(process.stderr.isTTY) && !process.env.CI

export const seconds = (ms) => (ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`)

/** Runs `work` under a label. A failure is shown and thrown on. */
export async function step(label, work) {
  const began = performance.now()
  const elapsed = () => seconds(performance.now() - began)
  const spinner = live ? spin(label, elapsed) : undefined
  if (!live) say(`  ${label} ...`)
  try {
    const result = await work()
    spinner?.stop()
    say(`${mark('✓', 32)} ${label} (${elapsed()})`)
    return result
  } catch (error) {
    spinner?.stop()
    say(`${mark('✗', 31)} ${label} (${elapsed()})`)
    throw error
  }
}

export const say = (line) => process.stderr.write(`${line}\n`)

function spin(label, elapsed) {
  let frame = 0
  const draw = () => process.stderr.write(`\r\x1b[2K${frames[frame++ % frames.length]} ${label} ${elapsed()}`)
  const timer = setInterval(draw, 80)
  draw()
  return {
    stop() {
      clearInterval(timer)
      process.stderr.write('\r\x1b[2K')
    },
  }
}

const mark = (sign, colour) => (live && !process.env.NO_COLOR ? `\x1b[${colour}m${sign}\x1b[0m` : sign)
