// Loaded before a process's own code: its time of day is wrong by FAULT_CLOCK seconds, or jumps by up to an hour (`jumps`).
const { FAULT_CLOCK: clock } = process.env
const real = Date.now
let offset = clock === 'jumps' ? 0 : Number(clock) * 1_000
if (clock === 'jumps')
  setInterval(() => {
    offset = Math.round((Math.random() - 0.5) * 7_200_000)
  }, 700).unref()

globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length === 0 ? [real() + offset] : given))
  }
  static now() {
    return real() + offset
  }
}
