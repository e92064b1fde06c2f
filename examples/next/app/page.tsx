import type { UIMessage } from 'ai'
import { messageStore } from 'throughline/ai-sdk'
import { Chat } from './chat'
import { backend } from './service'

export const dynamic = 'force-dynamic'

/** One conversation for everyone; in an app of yours its id is in the address. */
export default async function Page() {
  const { store } = await backend()
  const messages = await messageStore({ store, workspace: 'everyone' }).load<UIMessage>('first')
  return <Chat id="first" initial={messages} />
}
