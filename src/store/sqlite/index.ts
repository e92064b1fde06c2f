/** The door `throughline/sqlite`. */
export { type SqliteOptions, type SqliteStore, sqliteStore } from './store.js'
