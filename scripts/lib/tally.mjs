// Reads vitest's JSON report: how many cases passed, failed and were skipped, and where the skipped ones are.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './run.mjs'

const skips = ['pending', 'skipped', 'todo', 'disabled']

/** The second report, where there is one, is of the files that failed, tried again: it stands for them. */
export function tally(report, second) {
  const retried = second ? results(second) : []
  const first = results(report)
  const files = first.map((file) => retried.find(({ name }) => name === file.name) ?? file)
  const states = files.flatMap((file) => file.assertionResults.map(({ status }) => status))
  // a file that could not be loaded has no cases, and counts as one failure
  const broken = files.filter((file) => file.status === 'failed' && !failures(file).length)
  return {
    passed: states.filter((status) => status === 'passed').length,
    failed: states.filter((status) => status === 'failed').length + broken.length,
    skipped: states.filter((status) => skips.includes(status)).length,
    untested: files.flatMap((file) => {
      const count = file.assertionResults.filter(({ status }) => skips.includes(status)).length
      return count ? [{ file: pathOf(file), count }] : []
    }),
    failing: files.filter(({ status }) => status === 'failed').map(pathOf),
    unsteady: first
      .filter(
        ({ name, status }) =>
          status === 'failed' && retried.some((file) => file.name === name && file.status === 'passed'),
      )
      .flatMap((file) => failures(file).map(({ fullName }) => `${pathOf(file)} (${fullName.trim()})`)),
  }
}

const pathOf = ({ name }) => relative(root, name)

const failures = (file) => file.assertionResults.filter(({ status }) => status === 'failed')

function results(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults
  } catch {
    return []
  }
}
