/** Numbers that options give. */
import { misused } from './failure.js'

export function countFlag(value: string | undefined, option: string, usual: number): number {
  if (value === undefined) return usual
  const count = Number(value.replaceAll(/[_,]/g, ''))
  if (Number.isSafeInteger(count) && count > 0) return count
  throw misused(`${option} must be a whole number, one or more`, `got '${value}'`)
}
