/**
 * The written-down rules of every target, and the judge that knows them.
 *
 * @module
 */
export type { Target, Violation } from '../message/target.js'
export { type ProfileName, profileNames, profilesOf } from '../profile/profiles.js'
export { check } from './check.js'
export { prefixHash } from './prefix.js'
export type { Rule } from './rule.js'
export { rules } from './rules.js'
export type { CheckContext, Issued } from './scope.js'
