/** Throughline: turns any conversation history into exactly the window a model should see, and explains it. @module */
export { HistoryError, type Issue, type IssueCode } from './core/message/issue.js'
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
} from './core/message/item.js'
export { type Target, targets, type Violation } from './core/message/target.js'
export type { Style, Window } from './core/message/window.js'
export { extend, parsePolicy } from './core/policy/parse.js'
export { choiceOf, type PolicyChoice, type PresetName, presets, type TargetOf } from './core/policy/presets/index.js'
export type {
  ClipPolicy,
  Cut,
  FitPolicy,
  FoldPolicy,
  GapPolicy,
  IntakePolicy,
  Overrides,
  Policy,
  RecallPolicy,
  RenderPolicy,
  SummaryPolicy,
} from './core/policy/schema.js'
export { explain } from './core/receipt/explain.js'
export type {
  Fate,
  Line,
  RecallLine,
  Receipt,
  RequestNumbers,
  RequestParts,
  Risk,
  Stage,
  WindowRoom,
} from './core/receipt/receipt.js'
export type { AiSdkMessage, AiSdkRequest } from './core/render/ai-sdk.js'
export type { AnthropicMessage, AnthropicRequest } from './core/render/anthropic.js'
export type { GoogleContent, GoogleRequest } from './core/render/google.js'
export type { OpenaiChatMessage, OpenaiChatRequest } from './core/render/openai-chat.js'
export type { OpenaiResponsesItem, OpenaiResponsesRequest } from './core/render/openai-responses.js'
export type { MessagesRequest } from './core/render/render.js'
export { type Rendered, type RenderedBy, render } from './core/render/render.js'
export { check } from './core/rules/check.js'
export type { Counter } from './core/tokens/counter.js'
export { counters } from './core/tokens/counters.js'
export { findModel, type ModelFacts, type ModelRow } from './core/tokens/models.js'
export { type Assembled, assemble, type Input, type WindowItem } from './core/window/assemble.js'
export type { Marks } from './core/window/memo.js'
export { createMemo, type Memo } from './core/window/memo.js'
export type { Options } from './core/window/plan.js'
export type { Recall, Recalled } from './core/window/recall.js'
export type { Summary } from './core/window/summary.js'
