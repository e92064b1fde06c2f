/** What the writers of the dialects share. */
import type { Result, Said } from './said.js'

export type Raw = Record<string, unknown>
export type Writer = (said: Said, turn: readonly Said[]) => readonly Raw[]

export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const meta = (said: { readonly id?: string; readonly model?: string }): Raw => ({
  ...(said.id === undefined ? {} : { id: said.id }),
  ...(said.model === undefined ? {} : { model: said.model }),
})

export const resultOf = (id: string, turn: readonly Said[]): Result | undefined =>
  turn.flatMap((said) => (said.kind === 'results' ? said.results : [])).find((result) => result.id === id)
