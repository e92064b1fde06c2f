export { type PostgresOptions, type PostgresServer, postgresStore } from './store.js'
