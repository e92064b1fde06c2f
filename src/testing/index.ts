export { type Issued, issue, type JudgeProvider, type JudgeRequest, judge, type Refusal } from './judge/index.js'
export { type ScriptedModel, type ScriptedTurn, scriptedModel } from './scripted-model.js'
export type { Opened } from './stage.js'
export { type StoreCase, type StoreSuite, storeSuite } from './store-suite.js'
