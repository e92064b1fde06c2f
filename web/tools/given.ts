/** What was typed or pasted, as a server: a command line, an address, or the JSON of a README. */
import type { NewToolServer } from '../../src/client/index.js'

export type Given = Pick<NewToolServer, 'command' | 'args' | 'url' | 'headers'> & { readonly name: string | null }

/** Null when it names no server. */
export function givenIn(typed: string): Given | null {
  const text = typed.trim()
  if (text === '') return null
  if (text.startsWith('{') || text.startsWith('"')) return givenInJson(text)
  if (/^https?:\/\//i.test(text)) return { url: text, name: nameOf(hostOf(text)) }
  const [command = '', ...args] = wordsOf(text)
  return { command, args, name: nameOf(lastName([command, ...args])) }
}

/** `{"mcpServers": {"files": {"command": …}}}`, with or without what is around the server itself. */
function givenInJson(text: string): Given | null {
  const parsed = parse(text.startsWith('"') ? `{${text}}` : text)
  const all = parsed && isObject(parsed.mcpServers) ? parsed.mcpServers : parsed
  if (!all) return null
  const [name, server] = 'command' in all || 'url' in all ? [null, all] : (Object.entries(all)[0] ?? [null, null])
  if (!isObject(server)) return null
  const { command, args, url, headers } = server
  const named = name === null ? null : nameOf(name)
  if (typeof url === 'string') return { url, name: named, ...(isTexts(headers) && { headers }) }
  if (typeof command !== 'string') return null
  return { command, args: Array.isArray(args) ? args.map(String) : [], name: named }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isTexts = (value: unknown): value is Record<string, string> =>
  isObject(value) && Object.values(value).every((one) => typeof one === 'string')

/** As a shell would split it, quotes and all, but nothing more. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')

const hostOf = (url: string): string => {
  try {
    return new URL(url).hostname.replace(/^(?:www|mcp|api)\./, '')
  } catch {
    return ''
  }
}

/** The word of a command line that tells most: a package or a file rather than the program that runs it. */
const lastName = (words: readonly string[]): string =>
  words
    .filter((word) => !word.startsWith('-'))
    .slice(0, 2)
    .at(-1)
    ?.split('/')
    .at(-1) ?? ''

function nameOf(text: string): string | null {
  const name = text
    .toLowerCase()
    .replace(/\.(?:m?js|py|com|org|net|io|dev)$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^(?:mcp-)?(?:server-)?|^[^a-z]+/g, '')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 32)
  return name === '' ? null : name
}

export const isName = (name: string): boolean => /^[a-z][a-z0-9-]{0,31}$/.test(name)
