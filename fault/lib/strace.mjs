// strace, where it is there and may be used.
import { spawnSync } from 'node:child_process'

export function whyNoStrace() {
  const { error, status, stderr } = spawnSync('strace', ['-f', '-e', 'trace=none', '-qq', 'true'], { encoding: 'utf8' })
  if (error) return 'strace is not installed (apt install strace)'
  return status === 0 ? null : `strace may not be used here: ${stderr.trim().split('\n')[0]}`
}
