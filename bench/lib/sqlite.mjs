// The SQLite that ours takes, too.
const builtIn = process.getBuiltinModule?.('node:sqlite')

const sound = (engine) => {
  if (!engine) return false
  const database = new engine.DatabaseSync(':memory:')
  const [major, minor, patch] = database.prepare('select sqlite_version() as v').get().v.split('.').map(Number)
  database.close()
  return major * 1_000_000 + minor * 1_000 + patch >= 3_051_003
}

export const isBuiltIn = sound(builtIn)
export const { DatabaseSync } = isBuiltIn ? builtIn : await import('@photostructure/sqlite')
