export const torn = async () => ({ ok: false })
