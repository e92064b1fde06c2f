/**
 * Several statements in one message to the server: one round trip, one flush, one answer. Outside a transaction they are
 * one by themselves, committed before the answer. It is a query of its own to `pg`, as those of its cursors are.
 */
import type { Connection, PoolClient, Submittable } from 'pg'
import type { Statement } from './sql/statement.js'

export type Row = Readonly<Record<string, unknown>>

export interface Result {
  readonly rows: readonly Row[]
  /** As the server has it: `COMMIT`, `DELETE 3`. */
  readonly command: string
}

export type Value = string | number | boolean | null | Buffer | readonly (string | number | boolean | null)[]
export type Call = readonly [statement: Statement, values: readonly Value[]]

export const countOf = (result: Result | undefined): number => Number(result?.command.split(' ').at(-1) ?? 0)

/** After a rejection the client is of no more use: answers to the rest may still be on their way. */
export function send(client: PoolClient, calls: readonly Call[]): Promise<readonly Result[]> {
  return new Promise((resolve, reject) => {
    client.query(new Batch(client, calls, (error, results) => (error ? reject(error) : resolve(results))))
  })
}

interface Column {
  readonly name: string
  /** Null for what is text anyway. */
  readonly read: ((text: string) => unknown) | null
}

/** `text` and `json`, by the numbers of their types. */
const texts = new Set([25, 114])

/** The columns of each statement that a connection has prepared. */
const prepared = new WeakMap<Connection, Map<Statement, readonly Column[]>>()

class Batch implements Submittable {
  readonly #client: PoolClient
  readonly #calls: readonly Call[]
  readonly #results: Result[] = []
  #columns: Map<Statement, readonly Column[]> = new Map()
  #rows: Row[] = []
  /** Public, because the client puts its clock for the answer around it. */
  callback: (error: unknown, results: readonly Result[]) => void

  constructor(client: PoolClient, calls: readonly Call[], callback: Batch['callback']) {
    this.#client = client
    this.#calls = calls
    this.callback = callback
  }

  submit(connection: Connection): void {
    this.#columns = prepared.get(connection) ?? new Map()
    prepared.set(connection, this.#columns)
    connection.stream.cork()
    for (const [statement, values] of this.#calls) {
      const { name, text } = statement
      const known = this.#columns.has(statement)
      if (!known) connection.parse({ name, text, types: [] }, true)
      connection.bind({ statement: name, values: values.map(written) }, true)
      if (!known) connection.describe({ type: 'P' }, true)
      this.#columns.set(statement, this.#columns.get(statement) ?? [])
      connection.execute(null, true)
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { readonly fields: readonly { name: string; dataTypeID: number }[] }): void {
    const readerOf = (type: number) => (texts.has(type) ? null : this.#client.getTypeParser(type))
    this.#columns.set(
      this.#statement,
      fields.map(({ name, dataTypeID }) => ({ name, read: readerOf(dataTypeID) })),
    )
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {}
    const columns = this.#columns.get(this.#statement) ?? []
    for (let i = 0; i < columns.length; i++) {
      const { name, read } = columns[i] as Column
      const text = fields[i] ?? null
      row[name] = text === null || read === null ? text : read(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#results.push({ rows: this.#rows, command: text })
    this.#rows = []
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#results)
  }

  handleError(error: unknown): void {
    this.callback(error, [])
  }

  /** The one whose answer is being read. */
  get #statement(): Statement {
    return (this.#calls[this.#results.length] as Call)[0]
  }
}

function written(value: Value): string | Buffer | null {
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value
  return Array.isArray(value) ? arrayText(value) : String(value)
}

/** An array as PostgreSQL writes it. */
const arrayText = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => (typeof value === 'string' ? quoted(value) : String(value))).join(',')}}`

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
