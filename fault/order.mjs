export const order = async () => ({ ok: false })
