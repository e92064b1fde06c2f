import { maxDepth, maxValues } from './json.js'
import type { Rule } from './table/rule.js'

export const jsonRules = [
  { rule: 'request.unreadable', says: 'Reading the request must not throw.' },
  { rule: 'request.cyclic', says: 'The request must not contain itself.' },
  { rule: 'request.deep', says: `The request nests at most ${maxDepth} levels (the limit of protobuf JSON parsers).` },
  { rule: 'request.large', says: `The request holds at most ${maxValues} values.` },
  {
    rule: 'request.value',
    says: 'Every value is JSON: no undefined, NaN, Infinity, bigint, symbol, function, hole or class instance.',
  },
  { rule: 'string.malformed', says: 'Every string and key is well formed; a lone surrogate is no valid JSON.' },
] as const satisfies readonly Rule[]
