// What a careful hand would write with the same framework: two durable inserts and an answer of the same bytes.
import { randomUUID } from 'node:crypto'
import { answer, idOf, length, messageAt, ofLibrary, report } from './service-data.mjs'
import { DatabaseSync } from './sqlite.mjs'

const { serve } = ofLibrary('@hono/node-server')
const { Hono } = ofLibrary('hono')
const pg = ofLibrary('pg')
const [file, count, window] = process.argv.slice(2)

const put = await (file.startsWith('postgres://') ? inPostgres() : inSqlite())

async function inSqlite() {
  const db = new DatabaseSync(file)
  db.exec(`pragma auto_vacuum = incremental; pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full;
    pragma secure_delete = on; pragma wal_autocheckpoint = 4000; pragma journal_size_limit = 16777216;
    pragma cache_size = -16000;
    create table message (conversation text not null, seq integer not null, data text not null, primary key (conversation, seq))`)
  const insert = db.prepare(`insert into message (conversation, seq, data)
    values (?, (select coalesce(max(seq), 0) + 1 from message where conversation = ?), ?)`)
  db.exec('begin')
  for (const [conversation, row] of stored()) insert.run(conversation, conversation, row)
  db.exec('commit')
  if (db.prepare('pragma synchronous').get().synchronous !== 2) throw new Error('synchronous is not FULL')
  // what nothing refers to any more is closed with the next collection of garbage
  process.once('exit', () => db.close())
  return (conversation, row) => insert.run(conversation, conversation, row)
}

async function inPostgres() {
  const pool = new pg.Pool({ connectionString: file, max: 10 })
  await pool.query(
    'create table message (conversation text not null, seq integer not null, data text not null, primary key (conversation, seq))',
  )
  const text = `insert into message (conversation, seq, data)
    values ($1, (select coalesce(max(seq), 0) + 1 from message where conversation = $1), $2)`
  const insert = (client, conversation, row) => client.query({ name: 'put', text, values: [conversation, row] })
  const client = await pool.connect()
  await client.query('begin')
  for (const [conversation, row] of stored()) await insert(client, conversation, row)
  await client.query('commit')
  client.release()
  return (conversation, row) => insert(pool, conversation, row)
}

function* stored() {
  for (let i = 0; i < Number(count); i++)
    for (let at = 0; at < length; at++) yield [idOf(i), rowOf(idOf(i), messageAt(at).role, messageAt(at).content).row]
}

/** The values of one row of ours, in one text. */
function rowOf(conversation, role, text) {
  const [id, parent, opener] = [randomUUID(), randomUUID(), randomUUID()]
  const hashes = `${id}${parent}`.padEnd(64)
  const body = `{"kind":"message","role":"${role}","parts":[{"type":"text"}],"status":"complete"}`
  const row = ['default', conversation, text.length, id, parent, opener, hashes, new Date().toISOString(), text, body]
  return { id, row: JSON.stringify(row) }
}

async function say(conversation, role, text) {
  const { id, row } = rowOf(conversation, role, text)
  await put(conversation, row)
  return id
}

const app = new Hono()
app.post('/chat', async (c) => {
  const { session_id, message } = await c.req.json()
  const asked = await say(session_id, 'user', message)
  const answered = await say(session_id, 'assistant', answer)
  return c.json({
    session_id,
    response: answer,
    message_id: asked,
    answer_id: `run_${answered}`,
    run_id: `run_${answered}`,
    receipt_id: `ctx_${answered}`,
    model: 'bench/echo',
    ai: true,
    state: 'done',
    usage: { input: 1_000, output: 80 },
    warnings: [],
    trace_id: randomUUID(),
  })
})
app.post('/echo', async (c) => c.json(await c.req.json()))
app.post('/same', async (c) => {
  await c.req.json()
  return c.body(same, 200, { 'content-type': 'application/json' })
})
const same = JSON.stringify('x'.repeat(Math.max(0, Number(window) - 2)))

const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => report(port))
server.keepAliveTimeout = 65_000
