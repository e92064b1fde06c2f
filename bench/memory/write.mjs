// A history takes so many entries at once.
const most = 500

export async function write(history, messages) {
  for (let at = 0; at < messages.length; at += most) await history.append(messages.slice(at, at + most))
}
