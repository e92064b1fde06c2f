export const cut = async () => ({ ok: false })
