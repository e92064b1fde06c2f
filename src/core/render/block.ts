/** What an item costs in a text rendering: the very text it will be. */
import type { Item } from '../message/item.js'
import type { Style } from '../message/window.js'
import type { Frame } from './frame.js'
import { numberedBlock, numberedFrame } from './text-numbered.js'
import { taggedBlock, taggedFrame } from './text-tagged.js'

export type TextTarget = 'text-tagged' | 'text-numbered'

/** The block an item adds, or nothing; `index` is the number a message gets, from 1. */
export const blockOf = (item: Item, target: TextTarget, style: Style, index: number): string =>
  target === 'text-tagged' ? taggedBlock(item, style) : numberedBlock(item, style, index)

export const frameOf = (target: TextTarget, style: Style): Frame =>
  target === 'text-tagged' ? taggedFrame : numberedFrame(style.section)
