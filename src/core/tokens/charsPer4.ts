import { length } from '../message/text.js'
import type { Counter } from './counter.js'

/** The heuristic of specification 4. It counts far too little for Han, Kana, Hangul and random text. */
export const charsPer4: Counter = {
  name: 'chars/4',
  exact: false,
  count: (text) => Math.floor(length(text) / 4),
}
