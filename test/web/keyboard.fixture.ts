/** A hand on the keyboard that never touches the mouse, and an eye on where the focus is. */
import type { Page } from 'playwright-core'

/** The focus is somewhere, and it shows; otherwise what is wrong. */
const look = `(() => {
  const one = document.activeElement
  if (one === null || one === document.body || one === document.documentElement) return { lost: 'nothing has the focus' }
  const name = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent ?? ''
  const says = one.localName + ' ' + JSON.stringify(name.replace(/\\s+/g, ' ').trim().slice(0, 60))
  const { width, height } = one.getBoundingClientRect()
  if (width === 0 || height === 0) return { lost: says + ' cannot be seen' }
  const rings = (element) => {
    const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(element)
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
  }
  const writes = one.matches('textarea, input, select')
  // a region that was jumped to shows by what it holds, a field by its caret
  const region = one.matches('main, aside, dialog, article')
  if (!writes && !region && !rings(one)) return { lost: says + ' does not show that it has the focus' }
  return { lost: null, says }
})()`

export interface Keyboard {
  press(...keys: readonly string[]): Promise<void>
  type(text: string): Promise<void>
  /** Tab, or Shift+Tab, until what has the focus is called so. */
  tabTo(name: string | RegExp, back?: boolean): Promise<void>
  /** Where the focus was lost, by step. */
  readonly lost: readonly string[]
  /** To be called after each step. */
  seen(step: string): Promise<void>
}

export function keyboardOf(page: Page): Keyboard {
  const lost: string[] = []
  const state = () => page.evaluate<{ lost: string | null; says?: string }>(look)
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
  return {
    press,
    lost,
    type: (text) => page.keyboard.type(text),
    async tabTo(name, back = false) {
      const passed: string[] = []
      for (let turn = 0; turn < 120; turn++) {
        // it may be there already
        if (turn > 0) await press(back ? 'Shift+Tab' : 'Tab')
        const called = await page.evaluate<string>(nameOf)
        if (typeof name === 'string' ? called === name : name.test(called)) return
        passed.push(called)
      }
      throw new Error(`no way to ${name} by Tab; on the way were ${[...new Set(passed)].join(' | ')}`)
    },
    async seen(step) {
      // what took the place of what was there may come a moment later
      for (let turn = 0; turn < 20 && (await state()).lost !== null; turn++) await page.waitForTimeout(50)
      const { lost: wrong } = await state()
      if (wrong !== null) lost.push(`${step}: ${wrong}`)
    },
  }
}

const nameOf = `(() => {
  const one = document.activeElement
  const own = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent ?? ''
  return own.replace(/\\s+/g, ' ').trim().slice(0, 80)
})()`
