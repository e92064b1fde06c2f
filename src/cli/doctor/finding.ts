/** What a check found. */
export interface Finding {
  readonly name: string
  /** `untried`: not asked now; `warn`: works, but look at it; `bad`: will not work. */
  readonly state: 'ok' | 'untried' | 'warn' | 'bad'
  readonly says: string
  /** What to do. */
  readonly fix?: string
}

export const ok = (name: string, says: string): Finding => ({ name, state: 'ok', says })
export const untried = (name: string, says: string): Finding => ({ name, state: 'untried', says })
export const warn = (name: string, says: string, fix: string): Finding => ({ name, state: 'warn', says, fix })
export const bad = (name: string, says: string, fix: string): Finding => ({ name, state: 'bad', says, fix })

/** A check that breaks has found something, too. */
export async function looked(name: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look()
  } catch (error) {
    const [says = '', ...hints] = (error instanceof Error ? error.message : String(error)).split('\n')
    const fix = hints[0]?.trim() ?? 'see the message'
    return [bad(name, says.replace(/^throughline: /, ''), fix)]
  }
}
