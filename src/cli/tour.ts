/** A guided tour on one screen: a long conversation goes in, a window comes out, and the receipt says why. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Part } from '../core/message/item.js'
import type { Target } from '../core/message/target.js'
import type { Receipt, Risk } from '../core/receipt/receipt.js'
import { check } from '../core/rules/check.js'
import type { WindowItem } from '../core/window/assemble.js'
import type { Entry } from '../store/contract/entry.js'
import { optionsOf } from './answer.js'
import { type KeptMessages, keepMessages } from './keep.js'
import { exits } from './kit/failure.js'
import { draw } from './kit/picture.js'
import { put } from './kit/sink.js'
import { coloured, storyText } from './kit/story.js'
import { number, type Paint, paintFor, short, widthOf } from './kit/term.js'
import { packageVersion } from './kit/version.js'
import { sample } from './sample.js'

const budget = 5_000
const model = 'gpt-4o'
const providers = ['openai-chat', 'openai-responses', 'anthropic', 'google'] as const

export async function showTour(): Promise<number> {
  const kept = await keepMessages(sample('openai-chat').messages as readonly unknown[])
  await put(`${(await tour(kept, widthOf(process.stdout), paintFor(process.stdout))).join('\n')}\n`)
  await kept.close()
  return exits.ok
}

async function tour(kept: KeptMessages, width: number, paint: Paint): Promise<string[]> {
  const { history, where } = kept
  const { request, receipt, items } = await build(kept, 'openai-chat')
  const { rows } = storyText(receipt)
  const verdicts = await Promise.all(providers.map((target) => verdict(kept, target, paint)))
  const label = (name: string, said: string): string => `${paint.bold(name.padEnd(9))} ${said}`
  return [
    `${paint.bold('Throughline')} ${packageVersion()} · the window a model gets from a long conversation, and why`,
    label('in', cameIn(await history.path())),
    label('log', short(where, width - 10)),
    label('asked', `“${short(String(request.current), width - 14)}”`),
    label('out', wentOut(receipt)),
    '',
    ...draw(receipt, width, paint),
    '',
    paint.bold(headOf(rows[0] ?? '')),
    ...rows.map((row) => coloured(short(row, width), paint)),
    '',
    ...excerpts(items, width, paint),
    '',
    label('at risk', lostOf(receipt.risks ?? [], width - 10)),
    label('legal', `${verdicts.join('   ')}   ${paint.dim('as check() sees it')}`),
    label('hash', `${receipt.wire.hash}  ${paint.dim('same in, same out')}`),
    '',
    paint.bold('try next'),
    ...next().map(([line, what]) => `  ${line.padEnd(62)}  ${paint.dim(what)}`),
  ]
}

async function build({ history }: KeptMessages, target: Target) {
  const request = { ...sample(target), target, model, budget, risks: true }
  const { current, system, tools = [] } = request
  const input = { current, tools, ...(system === undefined ? null : { system }) }
  const result = await history.window({ ...input, ...(await optionsOf(request)), policy: 'balanced' })
  if (!result.ok) throw new Error(result.error.message)
  return { ...result, request }
}

/** The same conversation for a provider, judged by the provider's own rules. */
async function verdict(kept: KeptMessages, target: Target, paint: Paint): Promise<string> {
  const [broken] = check(target, (await build(kept, target)).rendered)
  return broken ? `${paint.red('✖')} ${target}: ${broken.message}` : `${paint.green('✔')} ${target}`
}

/** Names the columns of the rows below it. */
function headOf(row: string): string {
  const at = row.search(/[●✂⊂▤↩∅]/)
  return `${'  #'.padEnd(at)}${'fate'.padEnd(14)}${'sent/original'.padStart(15)}  why`
}

function cameIn(entries: readonly Entry[]): string {
  const turns = entries.at(-1)?.turns ?? 0
  const calls = entries.filter(({ body }) => body.kind === 'result').length
  const longest = Math.max(...entries.map(({ text }) => text.length))
  return `the plan of a journey: ${entries.length} messages, ${turns} turns, ${calls} tool calls, one paste of ${number(longest)} characters`
}

function wentOut({ totals, policy, counter, request, target }: Receipt): string {
  const before = number(totals.tokens.before ?? 0)
  return `${before} tokens became ${number(request.used)} · policy ${policy.name} · budget ${number(budget)} · ${target}, ${counter.name}`
}

/** As many as fit a line. */
function lostOf(risks: readonly Risk[], width: number): string {
  const told = (count: number): string => {
    const more = risks.length > count ? ` and ${risks.length - count} more` : ''
    const texts = risks.slice(0, count).map(({ text }) => text)
    return `${texts.join(' · ')}${more}, only in what was left out`
  }
  let count = risks.length
  while (count > 1 && told(count).length > width) count--
  return risks.length === 0 ? 'nothing' : told(count)
}

/** Commands that work from the folder in which the tour was started. */
function next(): [string, string][] {
  const main = relative(process.cwd(), fileURLToPath(new URL('../doors/cli.js', import.meta.url)))
  const line = `node ${/\s/.test(main) ? JSON.stringify(main) : main}`
  return [
    [`${line} explain --sample --budget 4000`, 'the same with less room'],
    [`${line} assemble --sample --target anthropic`, 'the request itself'],
    [`${line} policies list`, 'seven policies'],
  ]
}

// What a shortened message looks like: the place of its cut, with the marker.

/** One clipped message and one folded tool result, if there are any. */
function excerpts(items: readonly WindowItem[], width: number, paint: Paint): string[] {
  return (['clipped', 'folded'] as const).flatMap((fate) => {
    for (const { index, fate: found, parts } of items) {
      const text = found === fate ? parts.map(textIn).find((said) => marker.test(said)) : undefined
      if (text !== undefined)
        return [paint.bold(`what ${fate} looks like, in message ${index}`), ...around(text, width, paint)]
    }
    return []
  })
}

const marker = /\[… [^\]]* …\]/

function around(text: string, width: number, paint: Paint): string[] {
  const { 0: mark, index } = marker.exec(text) as RegExpExecArray
  const [before, after] = [text.slice(0, index), text.slice(index + mark.length)]
  const bar = `  ${paint.dim('│')} `
  if (before.endsWith('\n'))
    return [lastLine(before, width - 4), paint.yellow(mark), firstLine(after, width - 4)].map((line) => bar + line)
  const room = Math.floor((width - mark.length - 6) / 2)
  return [`${bar}${lastLine(before, room)} ${paint.yellow(mark)} ${firstLine(after, room)}`]
}

function textIn(part: Part): string {
  if (part.type === 'text') return part.text
  if (part.type !== 'call' || part.outcome.state === 'pending') return ''
  return part.outcome.output.map((one) => (one.type === 'text' ? one.text : '')).join('\n')
}

function lastLine(text: string, most: number): string {
  const line = text.trimEnd().split('\n').at(-1) ?? ''
  return line.length > most ? `…${line.slice(1 - most)}` : line
}

const firstLine = (text: string, most: number): string => short(text.trimStart().split('\n')[0] ?? '', most)
