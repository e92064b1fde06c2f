export {
  type Issued,
  type Issued,
  issue,
  issue,
  type JudgeProvider,
  type JudgeProvider,
  type JudgeRequest,
  type JudgeRequest,
  judge,
  judge,
  type Refusal,
  type Refusal,
} from './judge/index.js'
export { type ScriptedModel, type ScriptedTurn, scriptedModel } from './scripted-model.js'
export type { Opened } from './stage.js'
export { type StoreCase, type StoreSuite, storeSuite } from './store-suite.js'
export { type Row as RefusedRow, rows as refusedRows } from './torture/rows.js'
