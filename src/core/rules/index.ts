/** The written-down rules of every target, and the judge that knows them. @module */
export { type ProfileName, profileNames, type Target, type Violation } from '../message/target.js'
export { prefixHash } from '../profile/prefix.js'
export { profilesOf } from '../profile/profiles.js'
export { check } from './check.js'
export { rules } from './rules.js'
export type { CheckContext, Issued } from './scope.js'
export type { Rule } from './table/rule.js'
