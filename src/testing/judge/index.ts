export { judge, type Refusal } from './judge.js'
export { issue } from './ledger.js'
export type { Issued, JudgeProvider, JudgeRequest } from './scope.js'
