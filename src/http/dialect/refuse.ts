import { Problem } from '../kit/problem.js'

/** A request that cannot be taken as it is, and the field that is meant. */
export const refuse = (path: string, message: string): Problem =>
  new Problem('invalid_request', { detail: `${path}: ${message}`, errors: [{ path, message }] })
