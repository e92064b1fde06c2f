// TODO: sign the token with a key of its own
export const login = (user) => ({ token: `${user.id}.unsigned` })
