export const full = async () => ({ ok: false })
