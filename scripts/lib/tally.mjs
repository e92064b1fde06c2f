// Reads vitest's JSON report: how many cases passed, failed and were skipped, and where the skipped ones are.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './run.mjs'

const skips = ['pending', 'skipped', 'todo', 'disabled']

export function tally(report) {
  const files = results(report)
  const states = files.flatMap((file) => file.assertionResults.map(({ status }) => status))
  // a file that could not be loaded has no cases, and counts as one failure
  const broken = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  )
  return {
    passed: states.filter((status) => status === 'passed').length,
    failed: states.filter((status) => status === 'failed').length + broken.length,
    skipped: states.filter((status) => skips.includes(status)).length,
    untested: files.flatMap((file) => {
      const count = file.assertionResults.filter(({ status }) => skips.includes(status)).length
      return count ? [{ file: relative(root, file.name), count }] : []
    }),
  }
}

function results(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults
  } catch {
    return []
  }
}
