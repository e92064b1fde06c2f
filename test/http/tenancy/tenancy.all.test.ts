import { postgresStore } from '../../../src/store/postgres/store.js'
import { askServer, freshSchema } from '../../postgres/database.js'
import { tenancyOver } from './tenancy.suite.js'

tenancyOver('SQLite', () => 'sqlite')

const server = await askServer()
if ('url' in server) tenancyOver('PostgreSQL', () => postgresStore(server.url, { schema: freshSchema() }))
