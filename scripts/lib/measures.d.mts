export type Sources = Readonly<Record<string, string>>
export function linesOf(sources: Sources): Readonly<Record<string, number>>
export function namesOf(sources: Sources): {
  readonly repeated: readonly (readonly [name: string, files: number])[]
  readonly all: number
}
export function measures(sources?: Sources): void
