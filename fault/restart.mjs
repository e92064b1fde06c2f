export const restart = async () => ({ ok: false })
