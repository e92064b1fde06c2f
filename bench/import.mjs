// A large export of ChatGPT's, imported by the command itself, and everything out again: messages a second, and what the process
// holds meanwhile.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { table, time, whole } from './lib/table.mjs'

const cli = fileURLToPath(new URL('../dist/doors/cli.js', import.meta.url))
const most = { rate: 3_000, growth: 1.5 }
const perConversation = 50
/** Sessions of agents are as long as this; each is written in one piece. */
const long = 5_000

export async function imports({ quick, say }) {
  const total = quick ? 50_000 : 1_000_000
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  try {
    const path = join(folder, 'conversations.json')
    await writeExport(path, total)
    const bytes = statSync(path).size
    say(`  import: ${whole(total)} messages in a file of ${gigabytes(bytes)}`)
    const first = await taken(path, folder, say)
    say(`  import: ${time(first.took)}`)
    const again = await taken(path, folder, say)
    rmSync(path)
    const out = join(folder, 'all.jsonl')
    const exported = await run(['export', '--all', '-o', out], folder)
    const stored = statSync(join(folder, 'a.db')).size
    const result = { total, bytes, first, again, exported: { ...exported, bytes: statSync(out).size }, stored }
    return { ...result, bars: bars(result) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(2)} GB`
const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`

async function taken(path, folder, say) {
  const { out, ...figures } = await run(['import', path, '--json', '--no-color'], folder)
  const report = JSON.parse(out)
  for (const { reason, count } of [...report.skipped, ...report.warnings]) say(`  import: ${count} x ${reason}`)
  return { ...figures, report }
}

/** The command as people run it, in a process of its own, asked what it holds four times a second. */
async function run(args, folder) {
  const began = performance.now()
  const child = spawn(process.execPath, [cli, ...args, '--db', join(folder, 'a.db')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder },
  })
  const held = []
  const look = setInterval(() => held.push({ at: performance.now() - began, ...memoryOf(child.pid) }), 250)
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const [code] = await once(child, 'close')
  clearInterval(look)
  const took = performance.now() - began
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${err.slice(-500)}`)
  const part = (from, to) =>
    Math.max(...held.filter(({ at }) => at >= from * took && at <= to * took).map(({ rss }) => rss))
  const quarters = [0, 1, 2, 3].map((i) => part(i / 4, (i + 1) / 4))
  return {
    took,
    out,
    quarters,
    peak: Math.max(...held.map(({ peak }) => peak)),
    cpu: Math.max(...held.map(({ cpu }) => cpu)),
  }
}

/** Linux tells; elsewhere there is no figure. */
function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1_024
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^\d+ \(.*\)/, '0 0')
      .split(' ')
    return { rss: of('VmRSS'), peak: of('VmHWM'), cpu: 10 * (Number(fields[13]) + Number(fields[14])) }
  } catch {
    return { rss: 0, peak: 0, cpu: 0 }
  }
}

async function writeExport(path, total) {
  const file = createWriteStream(path)
  const next = generator(7)
  let written = 0
  for (let i = 0; written < total; i++) {
    const count = Math.min(total - written, i % 1_000 === 500 ? long : perConversation)
    const text = `${i === 0 ? '[' : ',\n'}${JSON.stringify(conversation(i, count, next))}`
    written += count
    if (!file.write(text)) await once(file, 'drain')
  }
  file.end(']')
  await once(file, 'finish')
}

/** As the export has it, with the fields that nobody reads: they are most of such a file's bytes. */
function conversation(index, count, next) {
  const root = `root-${index}`
  const mapping = { [root]: { id: root, message: null, parent: null, children: [`m-${index}-0`] } }
  const start = 1_700_000_000 + index * 600
  for (let i = 0; i < count; i++) {
    const id = `m-${index}-${i}`
    const isUser = i % 2 === 0
    mapping[id] = {
      id,
      message: {
        id,
        author: { role: isUser ? 'user' : 'assistant', name: null, metadata: {} },
        create_time: start + i,
        update_time: null,
        content: { content_type: 'text', parts: [said(next, isUser ? 60 : 480)] },
        status: 'finished_successfully',
        end_turn: isUser ? null : true,
        weight: 1,
        metadata: isUser
          ? {
              serialization_metadata: { custom_symbol_offsets: [] },
              request_id: `${id}-request`,
              timestamp_: 'absolute',
              message_source: null,
              selected_sources: [],
              selected_github_repos: [],
            }
          : {
              finish_details: { type: 'stop', stop_tokens: [200_002] },
              is_complete: true,
              citations: [],
              content_references: [],
              model_slug: 'gpt-4o',
              default_model_slug: 'gpt-4o',
              parent_id: `m-${index}-${i - 1}`,
              request_id: `${id}-request`,
              timestamp_: 'absolute',
              message_type: 'next',
              turn_exchange_id: `${id}-turn`,
            },
        recipient: 'all',
        channel: null,
      },
      parent: i === 0 ? root : `m-${index}-${i - 1}`,
      children: i === count - 1 ? [] : [`m-${index}-${i + 1}`],
    }
  }
  return {
    title: `Conversation ${index}`,
    create_time: start,
    update_time: start + count,
    mapping,
    moderation_results: [],
    current_node: `m-${index}-${count - 1}`,
    conversation_id: `bench-${index}`,
    id: `bench-${index}`,
    default_model_slug: 'gpt-4o',
    is_archived: false,
    safe_urls: [],
  }
}

function generator(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Words as people use them: the hundredth is a hundred times as rare as the first. */
function said(next, words) {
  const count = Math.ceil(words * (0.5 + next()))
  let text = ''
  for (let i = 0; i < count; i++) text += `${i === 0 ? '' : ' '}w${(Math.floor(40_000 ** next()) - 1).toString(36)}x`
  return text
}

function bars({ total, bytes, first, again, exported }) {
  const rate = total / (first.took / 1_000)
  const alone = total / (first.cpu / 1_000)
  const [early, , , late] = first.quarters
  const { conversations, messages } = first.report
  return [
    {
      bar: `import: ${whole(total)} messages, all of them`,
      ok: messages.added === total && conversations.failed === 0,
      figure: whole(messages.added),
    },
    {
      bar: `import: ${whole(most.rate)} messages a second`,
      ok: rate >= most.rate,
      figure: `${whole(Math.round(rate))}; ${whole(Math.round(alone))} for each second that the process was given`,
    },
    {
      bar: `import: memory flat while ${gigabytes(bytes)} are read (last quarter within ${most.growth}x of the first)`,
      ok: late <= early * most.growth,
      figure: `${first.quarters.map(megabytes).join(', ')}; at most ${megabytes(first.peak)}`,
    },
    {
      bar: `export: memory flat while ${gigabytes(exported.bytes)} are written`,
      ok: exported.quarters[3] <= exported.quarters[0] * most.growth,
      figure: `${exported.quarters.map(megabytes).join(', ')}; at most ${megabytes(exported.peak)}`,
    },
    {
      bar: 'import: again adds nothing',
      ok: again.report.messages.added === 0,
      figure: whole(again.report.messages.added),
    },
  ]
}

export function importTables({ total, bytes, stored, first, again, exported }) {
  const row = (name, { took, cpu, quarters, peak }) => [
    name,
    time(took),
    time(cpu),
    whole(Math.round(total / (took / 1_000))),
    ...quarters.map(megabytes),
    megabytes(peak),
  ]
  return [
    table(
      `Import: ${whole(total)} messages from ${gigabytes(bytes)} of ChatGPT's JSON, ${gigabytes(stored)} in the file afterwards; memory by quarters of the time`,
      ['', 'took', 'CPU', 'messages/s', '1st', '2nd', '3rd', '4th', 'peak'],
      [row('the first time', first), row('again', again), row('out, as an archive', exported)],
    ),
  ]
}
