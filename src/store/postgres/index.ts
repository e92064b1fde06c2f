/** The log in PostgreSQL, for any number of processes. @module */
export { migrationSql } from './schema.js'
export {
  type PgClient,
  type PgPool,
  type PostgresOptions,
  type PostgresPool,
  type PostgresServer,
  type PostgresStore,
  postgresStore,
} from './store.js'
