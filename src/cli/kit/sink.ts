/** Where data goes: standard output, at the pace of its reader. */
import { once } from 'node:events'

export async function put(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** A document for machines. */
export const putJson = (value: unknown): Promise<void> => put(`${JSON.stringify(value, null, 2)}\n`)

/** Words for people. */
export const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}
