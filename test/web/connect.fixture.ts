/** A model is connected in the app, by someone who has never seen it. */
import { openConnections } from '../../src/models/connect/connections.js'
import { type Provider, type ProviderOptions, startProvider } from '../provider/server.js'
import { openVisits, type Visit } from './visit.js'

export const key = 'sk-ant-api03-the-whole-secret-7f3Q'

export const visits = openVisits()

export const providers: Provider[] = []

export async function open(options: ProviderOptions = {}, size = {}): Promise<Visit & { readonly provider: Provider }> {
  const provider = await startProvider({
    models: ['claude-haiku-4-5', 'claude-sonnet-4-5'],
    answer: { text: 'Kyoto in April: **cherry blossoms**, and cool evenings.' },
    ...options,
  })
  providers.push(provider)
  const local = options.key === undefined ? provider.url : undefined
  const connected = await openConnections({
    config: {
      retry: { attempts: 1 },
      providers: {
        anthropic: { baseUrl: `${provider.url}/v1` },
        ollama: local === undefined ? false : { baseUrl: local },
        lmstudio: false,
      },
    },
    file: null,
  })
  return { ...(await visits.visit(connected, size)), provider }
}

/** As from another window: the clipboard's text arrives in the field. */
export const paste = async ({ page }: Visit, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'API key or server address' }).waitFor()
  await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', ${JSON.stringify(text)})
    const pasted = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.querySelector('.paste-field input').dispatchEvent(pasted)
  }`)
}

export const itWorks = ({ page }: Visit) => page.getByText(/It works\s+Answered in/).waitFor()
