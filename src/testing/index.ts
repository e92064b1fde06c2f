export type { Opened } from './stage.js'
export { type StoreCase, type StoreSuite, storeSuite } from './store-suite.js'
