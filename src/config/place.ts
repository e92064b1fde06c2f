/** Where the data is when no one has said where: among the user's own, as the system has it. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export type StorePlace =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string }

const isPostgres = (db: string): boolean => /^postgres(?:ql)?:\/\//i.test(db)

export function storePlaceOf(db: string | null, env: NodeJS.ProcessEnv): StorePlace {
  if (db === null) return { kind: 'sqlite', file: usualFile(env) }
  return isPostgres(db) ? { kind: 'postgres', url: db } : { kind: 'sqlite', file: resolve(db) }
}

export function usualFile({ XDG_DATA_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  const places: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(homedir(), 'Library', 'Application Support'),
    win32: LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'),
  }
  const home = XDG_DATA_HOME || (places[process.platform] ?? join(homedir(), '.local', 'share'))
  return join(home, 'throughline', 'throughline.db')
}

/** For people: the home folder as `~`, and no password. */
export const shownPlace = (place: StorePlace): string =>
  place.kind === 'sqlite' ? shownFile(place.file) : withoutPassword(place.url)

export const shownFile = (file: string): string => (file.startsWith(homedir()) ? file.replace(homedir(), '~') : file)

/** Everything that a connection string may hide is left out: `postgres://user@host:5432/name`. */
export function withoutPassword(url: string): string {
  if (!isPostgres(url)) return url
  try {
    const { protocol, username, host, pathname } = new URL(url)
    return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`
  } catch {
    return 'postgres://…'
  }
}
