/**
 * Throughline: turns any conversation history into exactly the window a model should see, and explains it.
 *
 * @module
 */
export { type Assembled, assemble, type Input, type WindowItem } from './core/assemble.js'
export type { Counter } from './core/count/counter.js'
export { counters } from './core/count/counters.js'
export { findModel, type ModelFacts, type ModelRow } from './core/count/models.js'
export { explain } from './core/explain.js'
export { HistoryError, type Issue } from './core/issue.js'
export type {
  CallPart,
  FilePart,
  FileSource,
  Item,
  Outcome,
  OutputPart,
  Part,
  Role,
  TextPart,
  ThinkPart,
} from './core/item.js'
export type { Marks } from './core/marks.js'
export { createMemo, type Memo } from './core/memo.js'
export type { Options } from './core/plan.js'
export { extend, parsePolicy } from './core/policy/parse.js'
export { type PresetName, presets } from './core/policy/presets/index.js'
export type { Overrides, Policy } from './core/policy/schema.js'
export type { Fate, Line, RecallLine, Receipt, Risk, Stage } from './core/receipt.js'
export { type Rendered, render } from './core/render/render.js'
export { check } from './core/rules/check.js'
export type { Recall, Recalled } from './core/stages/recall.js'
export type { Summary } from './core/stages/summary.js'
export { type Target, targets, type Violation } from './core/target.js'
export type { Style, Window } from './core/window.js'
