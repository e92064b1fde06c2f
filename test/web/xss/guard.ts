/** Watches pages for everything that an attacker could bring about, and lets no request leave. */
import type { BrowserContext, Page } from 'playwright-core'

export type Sort = 'fired' | 'foreign' | 'blocked' | 'left' | 'dialog' | 'fault'

export interface Guard {
  /** What was seen so far, each once. */
  seen(sort?: Sort): readonly string[]
}

export async function guard(context: BrowserContext, origin: string): Promise<Guard> {
  const found = new Set<string>()
  const tell = (sort: Sort, what: unknown): void => void found.add(`${sort}: ${String(what).slice(0, 200)}`)
  await context.exposeBinding('guardTells', (_, sort: Sort, what: unknown) => tell(sort, what))
  await context.addInitScript(`(${inPage})(${judgeSource})`)
  await context.route(
    (url) => url.origin !== origin && !/^(?:data|blob|about):/.test(url.protocol),
    (route) => {
      tell('left', route.request().url())
      return route.abort()
    },
  )
  const watch = (page: Page): void => {
    page.on('pageerror', (error) => tell('fault', error.message))
    page.on('console', (line) => line.type() === 'error' && tell('fault', line.text()))
    page.on('dialog', (dialog) => {
      tell('dialog', dialog.message())
      return dialog.dismiss()
    })
    page.on('framenavigated', (frame) => {
      if (frame.url() !== 'about:blank' && !frame.url().startsWith(origin)) tell('left', `navigated to ${frame.url()}`)
    })
    page.on('popup', (other) => tell('left', `opened ${other.url()}`))
  }
  for (const page of context.pages()) watch(page)
  context.on('page', watch)
  return { seen: (sort) => [...found].filter((one) => sort === undefined || one.startsWith(`${sort}:`)) }
}

/** The whole document at once, also where no script may run. */
export const sweep = (page: Page, root = 'document'): Promise<readonly string[]> =>
  page.evaluate(
    `(() => { const judge = ${judgeSource}; return [...${root}.querySelectorAll('body, body *')].flatMap((one) => judge(one)) })()`,
  )

/** Waits in the page itself, whose policy lets no text be evaluated later. */
export const until = (page: Page, holds: string): Promise<unknown> =>
  page.evaluate(`(async () => {
    const end = performance.now() + 10_000
    while (!(${holds})) {
      if (performance.now() > end) throw new Error('never: ' + ${JSON.stringify(holds)})
      // a page that is covered by others gets no frames
      await new Promise((go) => setTimeout(go, 30))
    }
  })()`)

/** What is wrong with an element, in the page's own language: it is sent there as text. */
const judgeSource = `(element) => {
  const banned = 'script iframe frame frameset object embed applet base meta link style template noscript audio video ' +
    'source track marquee portal animate animatetransform animatemotion set foreignobject use image feimage'
  const loads = 'xlink:href srcset srcdoc background ping poster data action formaction manifest autofocus http-equiv'
  const name = element.localName.toLowerCase()
  const wrong = []
  if (banned.split(' ').includes(name)) wrong.push('<' + name + '>')
  for (const { name: attribute, value } of element.attributes) {
    const key = attribute.toLowerCase()
    const at = name + '[' + key + '=' + JSON.stringify(value.slice(0, 80)) + ']'
    if (key.startsWith('on') || loads.split(' ').includes(key)) wrong.push(at)
    if (key === 'style' && /url\\(|expression|@import/i.test(value)) wrong.push(at)
    if (key === 'href') {
      const led = URL.canParse(value, document.baseURI) ? new URL(value, document.baseURI).protocol : null
      if (!['a', 'link'].includes(name) || !['http:', 'https:', 'mailto:'].includes(led)) wrong.push(at)
    }
    if (key === 'src') {
      const raster = /^data:image\\/(?:png|jpeg|gif|webp|avif|bmp)[;,]/i.test(value)
      const own = URL.canParse(value, document.baseURI) && new URL(value, document.baseURI).origin === location.origin
      if (name !== 'img' || !(raster || own)) wrong.push(at)
    }
  }
  return wrong
}`

/** Runs before anything of the page does. */
const inPage = `(judge) => {
  const rows = new Set()
  const guarded = { rows, drawn: 0 }
  window.guarded = guarded
  window.fired = (number) => guardTells('fired', number)
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    guardTells('blocked', violatedDirective + ' ' + blockedURI))
  const look = (element) => {
    // what the page itself was served with
    if (document.readyState === 'loading' && element.closest('head')) return
    if (element.localName === 'noscript' && element.parentElement === document.body) return
    for (const wrong of judge(element)) guardTells('foreign', wrong)
    if (element.localName === 'article' && element.id !== '') rows.add(element.id)
  }
  const isLive = ({ target }) => (target.closest ? target : target.parentElement)?.closest('article[data-live="true"]')
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'attributes') look(target)
      for (const node of addedNodes) if (node.querySelectorAll) [node, ...node.querySelectorAll('*')].forEach(look)
    }
    if (changes.some(isLive)) guarded.drawn++
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
}`
