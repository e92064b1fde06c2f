/**
 * The written-down rules of every target, and the judge that knows them.
 *
 * @module
 */
export type { Target, Violation } from '../message/target.js'
export { check } from './check.js'
export type { Rule } from './rule.js'
export { rules } from './rules.js'
