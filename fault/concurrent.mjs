export const control = async () => ({ ok: false })
export const postgresWriters = async () => ({ ok: false })
export const sqliteWriters = async () => ({ ok: false })
