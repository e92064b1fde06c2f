/** A place of our own on a server that others may use, too. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'

/**
 * An ordinary role, because superusers are exempt from row level security, with a database; with `distribute` the one that is given, because the servers of a Citus know one another by
 * database: there a schema has to be enough.
 */
export async function own(admin, distribute) {
  const name = `throughline_test_${randomBytes(6).toString('hex')}`
  const url = new URL(admin)
  const given = url.pathname.slice(1)
  url.username = name
  url.password = name
  await command(admin, `create role ${name} login nosuperuser nobypassrls password '${name}'`)
  await command(
    admin,
    distribute ? `grant create on database ${given} to ${name}` : `create database ${name} owner ${name}`,
  )
  if (!distribute) url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      await command(admin, distribute ? `drop owned by ${name} cascade` : `drop database ${name} with (force)`)
      await command(admin, `drop role ${name}`)
    },
  }
}

export async function command(url, sql) {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
