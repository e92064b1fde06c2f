/** The test side of the server that `setup.ts` keeps. */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { inject } from 'vitest'
import type { Desk } from './setup.js'

/** Starts the server at the first call of the run; says why when there is none. */
export async function askServer(): Promise<Desk> {
  let said = ''
  for await (const chunk of connect(inject('postgres'), '127.0.0.1').setEncoding('utf8')) said += chunk
  return JSON.parse(said)
}

export const freshSchema = (): string => `test_${randomBytes(8).toString('hex')}`
