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

export type PgValue = string | number | boolean | null | Buffer | readonly (string | number | boolean | null)[]
export type Call = readonly [statement: Statement, values: readonly PgValue[]]

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

const int8 = 20

interface Prepared {
  /** The columns of each statement that the connection has prepared. */
  readonly columns: WeakMap<Statement, readonly Column[]>
  /** Those that may be there or not, since a message failed on the way. */
  readonly doubtful: WeakSet<Statement>
}

const prepared = new WeakMap<Connection, Prepared>()

class Batch implements Submittable {
  readonly #client: PoolClient
  readonly #calls: readonly Call[]
  readonly #results: Result[] = []
  #prepared: Prepared = { columns: new WeakMap(), doubtful: new WeakSet() }
  readonly #fresh = new Set<Statement>()
  #rows: Row[] = []
  /** Public, because the client puts its clock for the answer around it. */
  callback: (error: unknown, results: readonly Result[]) => void

  constructor(client: PoolClient, calls: readonly Call[], callback: Batch['callback']) {
    this.#client = client
    this.#calls = calls
    this.callback = callback
  }

  submit(connection: Connection): void {
    this.#prepared = prepared.get(connection) ?? this.#prepared
    prepared.set(connection, this.#prepared)
    const { columns, doubtful } = this.#prepared
    connection.stream.cork()
    for (const [statement, values] of this.#calls) {
      const { name, text } = statement
      const known = columns.has(statement)
      if (!known) this.#fresh.add(statement)
      // to close what is not there is no fault
      if (doubtful.delete(statement)) connection.close({ type: 'S', name }, true)
      if (!known) connection.parse({ name, text, types: [] }, true)
      connection.bind({ statement: name, values: values.map(written) }, true)
      if (!known) connection.describe({ type: 'P' }, true)
      columns.set(statement, columns.get(statement) ?? [])
      connection.execute(null, true)
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { readonly fields: readonly { name: string; dataTypeID: number }[] }): void {
    // a pool of the caller's may read numbers in another way
    const readerOf = (type: number) =>
      texts.has(type) ? null : type === int8 ? Number : this.#client.getTypeParser(type)
    this.#prepared.columns.set(
      this.#statement,
      fields.map(({ name, dataTypeID }) => ({ name, read: readerOf(dataTypeID) })),
    )
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {}
    const columns = this.#prepared.columns.get(this.#statement) ?? []
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
    for (const statement of this.#fresh) {
      this.#prepared.columns.delete(statement)
      this.#prepared.doubtful.add(statement)
    }
    this.callback(error, [])
  }

  /** The one whose answer is being read. */
  get #statement(): Statement {
    return (this.#calls[this.#results.length] as Call)[0]
  }
}

function written(value: PgValue): string | Buffer | null {
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value
  return Array.isArray(value) ? arrayText(value) : String(value)
}

/** An array as PostgreSQL writes it. */
const arrayText = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => (typeof value === 'string' ? quoted(value) : String(value))).join(',')}}`

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
