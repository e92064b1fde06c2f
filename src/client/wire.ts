// Made from the schemas of src/operations by `npm run client`. Do not edit: `npm run check` compares.

import type { Issue } from '../core/message/issue.js'
import type { CallPart, FilePart, TextPart, ThinkPart } from '../core/message/item.js'
import type { Receipt } from '../core/receipt/receipt.js'

/** One run of a runner on a task */
export interface Agent {
  readonly agent_id: string
  readonly task_id: string
  readonly runner: string
  readonly model: string | null
  /** queued, running, completed, failed, killed or timed_out */
  readonly status: string
  readonly pid: number | null
  readonly prompt_tokens: number
  readonly output_bytes: number
  readonly exit: {
    readonly code: number | null
    readonly signal: string | null
    readonly error: string | null
    readonly result: string | null
  } | null
  readonly deployed_at: string
  readonly started_at: string | null
  readonly ended_at: string | null
}

/** A tool that the service runs */
export interface AgentTool {
  /** As a model calls it */
  readonly name: string
  readonly description: string
  /** `ask`: someone allows each call; `always`: it runs at once; `never`: it is refused */
  readonly approval: 'ask' | 'always' | 'never'
}

/** What was written, and where the branch is now */
export interface Appended {
  readonly conversation_id: string
  readonly branch: string
  readonly head_id: string
  readonly messages: readonly Message[]
  /** Nothing was written: all of it was there already */
  readonly repeated: boolean
  readonly warnings: readonly Issue[]
}

/** A named pointer to a message */
export interface Branch {
  readonly name: string
  readonly head_id: string | null
  readonly updated_at: string
}

/** A message in one line */
export interface Brief {
  readonly id: string
  /** Position on its path, from 0 */
  readonly depth: number
  readonly kind: 'message' | 'result' | 'summary' | 'note'
  readonly role: 'system' | 'user' | 'assistant' | 'tool' | null
  readonly at: string
  readonly tokens: number
  /** At most 160 characters */
  readonly preview: string
  readonly pinned: boolean
  readonly excluded: boolean
}

/** An answer, and where to find all that belongs to it */
export interface ChatAnswer {
  readonly session_id: string
  readonly response: string
  /** What was asked */
  readonly message_id: string | null
  readonly answer_id: string | null
  readonly run_id: string
  readonly receipt_id: string | null
  readonly model: string
  readonly ai: boolean
  /** How to mark an answer that no AI gave */
  readonly label?: string
  /** `waiting`: calls of tools wait for a decision, as the run says */
  readonly state: 'done' | 'stopped' | 'waiting'
  /** Calls that wait for a decision */
  readonly waiting: readonly { readonly call_id: string; readonly name: string; readonly input: unknown }[]
  /** Answers of the model: more than one when it called tools of the server */
  readonly steps: number
  /** As the provider counted; `cached` of the input was read from its cache, `written` was put there */
  readonly usage: {
    readonly input: number
    readonly output: number
    readonly cached?: number
    readonly written?: number
    readonly thinking?: number
  } | null
  readonly warnings: readonly Issue[]
  readonly trace_id: string
}

/** What became of a request for a summary */
export interface Compacted {
  readonly state: 'done' | 'unneeded' | 'refused'
  /** Why it was refused: summary_failed, summary_empty, summary_too_large, summary_overtaken */
  readonly cause: string | null
  /** The summary */
  readonly message_id: string | null
  /** The last message it covers */
  readonly until_id: string | null
  readonly covers: number
  readonly tokens_before: number
  readonly tokens_after: number
  /** Specifics that the summary lacked and that were added to the letter */
  readonly added: number
}

/** A provider or a server whose models can be asked */
export interface Connection {
  /** The part before the slash in the ids of its models */
  readonly id: string
  readonly label: string
  readonly url: string | null
  /** The last four characters of its key, which is never told; null without one */
  readonly ending: string | null
  /** `settings`: it can only be changed where the service was started */
  readonly from: 'app' | 'settings'
  readonly models: number
  /** When the provider refused the key, unless it took it since */
  readonly refused_at: string | null
}

/** A tree of messages */
export interface Conversation {
  readonly id: string
  readonly title: string
  readonly folder: string | null
  readonly tags: readonly string[]
  readonly pinned: boolean
  readonly archived: boolean
  readonly system: string | null
  readonly policy: string | null
  readonly model: string | null
  /** How far its windows look beyond it; null: as the policy says */
  readonly recall: 'conversation' | 'memories' | 'workspace' | null
  readonly budget: number | null
  readonly temperature: number | null
  readonly effort: 'low' | 'medium' | 'high' | null
  readonly tools: boolean | null
  readonly meta: Readonly<Record<string, unknown>>
  readonly created_at: string
  readonly updated_at: string
  /** Entries written so far */
  readonly entries: number
  readonly bytes: number
}

/** A task as it was registered */
export interface CreatedTask {
  readonly task_id: string
  readonly description: string
  readonly priority: string
  readonly status: string
  readonly preset: string
  readonly has_enhanced_context: boolean
  /** Messages of the history that were handed over */
  readonly conversation_messages_count: number
  /** What became of the messages; the receipt says why */
  readonly history: {
    readonly given: number
    readonly kept: number
    readonly clipped: number
    readonly dropped: number
    readonly tokens: number
  } | null
  readonly warnings: readonly Issue[]
}

/** The run that waited, and the one that goes on */
export interface Decided {
  readonly run: Run
  readonly next: StartedRun | null
}

/** The notes that are new */
export interface Derived {
  readonly items: readonly Memory[]
}

/** A receipt in words */
export interface Explanation {
  /** Null for that of a task */
  readonly receipt_id: string | null
  readonly policy: string
  readonly target: string
  readonly totals: {
    readonly messages: number
    readonly kept: number
    readonly clipped: number
    readonly folded: number
    readonly summarised: number
    readonly recalled: number
    readonly dropped: number
    readonly tokens: { readonly before: number | null; readonly after: number }
  }
  readonly numbers: {
    /** Tokens that the model takes, its answer included */
    readonly window: number | null
    /** Tokens that the request may have, system prompt and tools included */
    readonly budget: number | null
    /** Tokens that it has: the sum of `parts` */
    readonly used: number
    readonly free: number | null
    readonly parts: {
      readonly system: number
      readonly tools: number
      readonly frame: number
      readonly history: number
      readonly summary: number
      readonly recall: number
      readonly markers: number
      readonly current: number
    }
    readonly messages: { readonly sent: number; readonly of: number }
    readonly tokens: { readonly sent: number; readonly of: number | null; readonly estimated?: true }
  }
  readonly explanation: string
}

/** A message that has the words, or their meaning */
export interface Hit {
  readonly conversation_id: string
  readonly title: string
  readonly message_id: string
  readonly seq: number
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly at: string
  readonly snippet: string
  /** Where the words stand in the snippet, in UTF-16 units */
  readonly marks: readonly (readonly [number, number])[]
  /** Not in mode keyword: how near, or what its ranks come to */
  readonly score?: number
  /** Not in mode keyword: found by what */
  readonly why?: 'words' | 'meaning' | 'both'
}

/** What an import did, or would do */
export interface ImportReport {
  readonly type: 'report'
  readonly dry_run: boolean
  /** Conversations of each format */
  readonly formats: Readonly<Record<string, number>>
  /** Files that were read, and files of no known format */
  readonly sources: { readonly read: number; readonly other: number }
  readonly conversations: {
    readonly found: number
    readonly added: number
    readonly extended: number
    readonly unchanged: number
    readonly failed: number
  }
  readonly messages: { readonly found: number; readonly added: number }
  readonly branches: number
  readonly files: number
  /** What was left out, by kind */
  readonly skipped: readonly { readonly reason: string; readonly count: number; readonly examples: readonly string[] }[]
  /** What could not be kept as it was, by kind */
  readonly warnings: readonly {
    readonly reason: string
    readonly count: number
    readonly examples: readonly string[]
  }[]
}

/** What became of one conversation */
export interface ImportedConversation {
  readonly type: 'conversation'
  readonly format:
    | 'throughline'
    | 'codex'
    | 'claude-code'
    | 'openai-ft'
    | 'sharegpt'
    | 'chatgpt'
    | 'claude-ai'
    | 'openwebui'
    | 'gemini-takeout'
    | 'aistudio'
    | 'gemini-cli'
    | 'opencode'
    | 'librechat'
    | 'markdown'
  /** The file */
  readonly source: string
  readonly id: string
  readonly title: string
  readonly status: 'added' | 'extended' | 'unchanged'
  /** In the source */
  readonly messages: number
  /** That were not here */
  readonly added: number
  readonly branches: number
  readonly files: number
}

/** A receipt that is kept with its conversation */
export interface KeptReceipt {
  readonly id: string
  readonly conversation_id: string
  /** The answer that the window led to */
  readonly message_id: string | null
  readonly run_id: string | null
  readonly at: string
  readonly receipt: Receipt
  /** In words */
  readonly explanation: string
}

/** Folders and tags, with how many conversations each has */
export interface Labels {
  readonly folders: readonly { readonly name: string; readonly conversations: number }[]
  readonly tags: readonly { readonly name: string; readonly conversations: number }[]
  /** False where there were too many conversations to look at all of them */
  readonly whole: boolean
}

/** Something known beyond one conversation */
export interface Memory {
  readonly id: string
  readonly kind: 'profile' | 'semantic' | 'episodic' | 'derived'
  readonly text: string
  /** The message it was taken from */
  readonly source: { readonly conversation_id: string; readonly message_id: string } | null
  readonly author: string
  readonly created_at: string
  readonly updated_at: string
  readonly revision: number
}

/** One entry of the log: a message, a result, a summary or a note */
export type Message = {
  readonly id: string
  /** Gap-free within the conversation: the only order there is */
  readonly seq: number
  readonly parent_id: string | null
  /** Position on its path, from 0 */
  readonly depth: number
  readonly text: string
  readonly tokens: number
  /** Of the path up to here */
  readonly total_tokens: number
  readonly at: string
  readonly author: string | null
  readonly model: string | null
  readonly meta: Readonly<Record<string, unknown>>
  readonly redacted: boolean
  readonly pinned: boolean
  readonly excluded: boolean
  readonly rating: Rating | null
} & (
  | {
      readonly kind: 'message'
      readonly role: 'system' | 'user' | 'assistant'
      readonly parts: readonly (TextPart | ThinkPart | FilePart | CallPart)[]
      readonly status: 'complete' | 'aborted'
    }
  | {
      readonly kind: 'result'
      readonly role: 'tool'
      readonly call_id: string
      readonly state: 'ok' | 'error'
      readonly parts: readonly (TextPart | FilePart)[]
    }
  | {
      readonly kind: 'summary'
      readonly parts: readonly (TextPart | ThinkPart | FilePart | CallPart)[]
      readonly until_id: string
    }
  | { readonly kind: 'note'; readonly label: string; readonly data: unknown }
)

/** Something that answers */
export interface Model {
  readonly id: string
  readonly label: string
  readonly kind: 'builtin' | 'local' | 'hosted'
  /** Whether it is one: `builtin` is not */
  readonly ai: boolean
  readonly window: number
  readonly ready: boolean
  readonly note?: string
}

/** A user's words, or a message with a role */
export type NewMessage =
  | string
  | {
      readonly role: 'user' | 'assistant' | 'tool' | 'system' | 'orchestrator'
      /** Chosen by the caller, so that a retry is known as one */
      readonly id?: string
      readonly content?:
        | string
        | readonly ({ readonly type: string; readonly [name: string]: unknown } | { readonly type: string })[]
        | null
      readonly parts?: readonly (
        | { readonly type: string; readonly [name: string]: unknown }
        | { readonly type: string }
      )[]
      readonly name?: string
      readonly timestamp?: string
      readonly model?: string
      readonly tool_calls?: readonly (
        | { readonly id: string; readonly [name: string]: unknown }
        | { readonly id: string }
      )[]
      readonly tool_call_id?: string
    }

/** A message as a place in the tree */
export interface Node {
  readonly id: string
  readonly parent_id: string | null
  readonly seq: number
  readonly depth: number
  readonly kind: 'message' | 'result' | 'summary' | 'note'
  readonly role: 'system' | 'user' | 'assistant' | 'tool' | null
  readonly child_count: number
  readonly sibling_ix: number
  /** At most 120 characters */
  readonly preview: string
  readonly tokens: number
}

/** What a tool server offers */
export interface OfferedTools {
  readonly milliseconds: number
  readonly tools: readonly AgentTool[]
}

/** How a path becomes a window */
export interface Policy {
  readonly name: string
  readonly says: string
  readonly hash: string
  readonly policy: Readonly<Record<string, unknown>>
}

/** What someone thought of an answer */
export interface Rating {
  readonly value: number
  readonly note: string | null
  readonly at: string
}

/** What two windows have in common, and what not */
export interface ReceiptDiff {
  /** The requests were the same to the byte */
  readonly same: boolean
  /** Facts of the windows that differ */
  readonly facts: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[]
  /** Runs of messages whose fate differs, positions inclusive */
  readonly messages: readonly {
    readonly from: number
    readonly to: number
    readonly before: { readonly fate: string; readonly rule: string } | null
    readonly after: { readonly fate: string; readonly rule: string } | null
  }[]
}

/** What was removed, and where */
export interface Removal {
  readonly conversation_id: string
  readonly message_id: string | null
  /** How many of what */
  readonly removed: Readonly<Record<string, number>>
}

/** A window made again */
export interface Replay {
  readonly same: boolean
  readonly before: { readonly hash: string; readonly length: number }
  readonly after: { readonly hash: string; readonly length: number }
  readonly receipt: Receipt
  /** The window as it goes out: JSON in the form of the target, or text */
  readonly request: unknown
  /** What the provider got, to the byte; null where nothing is sent */
  readonly body: string | null
}

/** One generation of an answer */
export interface Run {
  readonly id: string
  readonly conversation_id: string
  readonly branch: string
  /** `waiting`: it goes on when someone has decided about its calls */
  readonly state: 'queued' | 'active' | 'done' | 'waiting' | 'failed' | 'stopped' | 'interrupted'
  readonly model: string
  readonly policy: string
  /** The message that is answered */
  readonly asked_id: string | null
  /** The answer, once there is one */
  readonly message_id: string | null
  /** Of the last window */
  readonly receipt_id: string | null
  /** Answers of the model: more than one when it called tools of the server */
  readonly steps: number
  /** Of every step's window, in order */
  readonly receipt_ids: readonly string[]
  /** Calls that wait for a decision */
  readonly waiting: readonly { readonly call_id: string; readonly name: string; readonly input: unknown }[]
  readonly finish: 'stop' | 'length' | 'calls' | 'filter' | 'other' | null
  /** As the provider counted; `cached` of the input was read from its cache, `written` was put there */
  readonly usage: {
    readonly input: number
    readonly output: number
    readonly cached?: number
    readonly written?: number
    readonly thinking?: number
  } | null
  /** The provider's count of the request over ours */
  readonly drift: number | null
  readonly cost: number | null
  readonly error: { readonly code: string; readonly message: string } | null
  readonly started_at: string
  readonly ended_at: string | null
}

/** A link by which anyone may read one branch */
export interface Share {
  readonly id: string
  readonly branch: string
  readonly mode: 'snapshot' | 'live'
  readonly title: string | null
  readonly authors: boolean
  readonly created_at: string
  readonly expires_at: string
}

/** A run that has begun, or waits in line */
export interface StartedRun {
  readonly run: Run
  /** Where the run is followed from its beginning */
  readonly events: string
  /** The key was known: this is the run it began */
  readonly repeated: boolean
  readonly warnings: readonly Issue[]
}

/** Version, storage, models and limits of this server */
export interface System {
  readonly service: 'throughline'
  readonly version: string | null
  readonly storage: string | null
  readonly auth: 'open' | 'keys'
  /** The one that answers when none is named */
  readonly model: string
  /** Whether that one is an AI */
  readonly ai: boolean
  /** The policy of conversations that name none */
  readonly policy: string
  /** How to connect a model, while none is */
  readonly hint?: string
  readonly models: readonly Model[]
  readonly tokenizers: readonly string[]
  readonly limits: {
    readonly body_bytes: number
    readonly blob_bytes: number
    readonly query_bytes: number
    readonly depth: number
    readonly values: number
  }
}

/** Work that is handed to agents */
export interface Task {
  readonly task_id: string
  readonly description: string
  readonly priority: string
  /** registered, active, blocked, completed, failed or cancelled */
  readonly status: string
  readonly note: string | null
  readonly client_cwd: string | null
  readonly preset: string
  readonly parent_task_id: string | null
  readonly has_enhanced_context: boolean
  readonly conversation_messages_count: number
  readonly counts: { readonly agents: number; readonly progress: number; readonly findings: number }
  readonly result: unknown
  readonly created_at: string
  readonly updated_at: string
}

/** Something that happened to a task */
export interface TaskEvent {
  /** The order in which it happened */
  readonly number: number
  readonly at: string
  readonly agent_id: string | null
  /** state, agent, progress or finding */
  readonly type: string
  readonly [name: string]: unknown
}

/** What a provider or a server offers */
export interface TestedConnection {
  readonly id: string
  readonly label: string
  readonly milliseconds: number
  readonly models: readonly {
    readonly id: string
    readonly label: string
    /** Tokens; null when neither the provider nor the catalogue says */
    readonly window: number | null
    /** US dollars per million tokens */
    readonly price: { readonly input: number; readonly output: number } | null
    readonly tools: boolean | null
    readonly images: boolean | null
  }[]
  /** The model to begin with */
  readonly best: string | null
}

/** An MCP server whose tools an agent may call */
export interface ToolServer {
  readonly name: string
  /** `settings`: it can only be changed where the service was started */
  readonly from: 'app' | 'settings'
  /** The program and its arguments */
  readonly command: string | null
  readonly url: string | null
  /** Names only: their values are never told */
  readonly headers: readonly string[]
  /** `ask`: someone allows each call; `always`: it runs at once; `never`: it is refused */
  readonly approval: 'ask' | 'always' | 'never'
  /** Of single tools */
  readonly tools: Readonly<Record<string, 'ask' | 'always' | 'never'>>
}

/** What was sent, left out, saved and paid */
export interface Usage {
  readonly from: string
  readonly to: string
  readonly totals: {
    readonly runs: number
    readonly done: number
    readonly failures: number
    readonly stopped: number
    readonly messages: number
    /** As we counted them */
    readonly tokens_sent: number
    /** Of the history, that the window did not need */
    readonly tokens_saved: number
    readonly messages_dropped: number
    /** Messages by what became of them, counted anew in each window */
    readonly fates: Readonly<Record<string, number>>
    /** As the providers counted them */
    readonly tokens_input: number
    readonly tokens_output: number
    /** In US dollars, where prices are known */
    readonly cost: number
    /** Share of what was sent that began like the request before */
    readonly prefix_reuse: number | null
  }
  readonly days: readonly {
    readonly day: string
    readonly runs: number
    readonly done: number
    readonly failures: number
    readonly stopped: number
    readonly messages: number
    /** As we counted them */
    readonly tokens_sent: number
    /** Of the history, that the window did not need */
    readonly tokens_saved: number
    readonly messages_dropped: number
    /** Messages by what became of them, counted anew in each window */
    readonly fates: Readonly<Record<string, number>>
    /** As the providers counted them */
    readonly tokens_input: number
    readonly tokens_output: number
    /** In US dollars, where prices are known */
    readonly cost: number
    /** Share of what was sent that began like the request before */
    readonly prefix_reuse: number | null
  }[]
  /** Those that sent most; the title is null where it was deleted since */
  readonly conversations: readonly {
    readonly conversation_id: string
    readonly title: string | null
    readonly runs: number
    readonly done: number
    readonly failures: number
    readonly stopped: number
    readonly messages: number
    /** As we counted them */
    readonly tokens_sent: number
    /** Of the history, that the window did not need */
    readonly tokens_saved: number
    readonly messages_dropped: number
    /** Messages by what became of them, counted anew in each window */
    readonly fates: Readonly<Record<string, number>>
    /** As the providers counted them */
    readonly tokens_input: number
    readonly tokens_output: number
    /** In US dollars, where prices are known */
    readonly cost: number
    /** Share of what was sent that began like the request before */
    readonly prefix_reuse: number | null
  }[]
  /** Why messages were not sent whole, the most frequent reason first */
  readonly rules: readonly { readonly fate: string; readonly rule: string; readonly messages: number }[]
  /** Ratings against the number of messages that the answer was in */
  readonly outcome: {
    readonly ratings: number
    readonly up: number
    readonly down: number
    readonly by_length: readonly { readonly up_to: number | null; readonly ratings: number; readonly average: number }[]
  }
}

/** What a model would get */
export interface Window {
  /** As it would go out: JSON in the form of the target, or text */
  readonly request: unknown
  readonly items: readonly WindowItem[]
  readonly receipt: Receipt
  readonly explanation: string
  readonly warnings: readonly Issue[]
  readonly head_id: string | null
}

/** A message of the window, and where it came from */
export interface WindowItem {
  readonly role: 'system' | 'user' | 'assistant'
  readonly parts: readonly (TextPart | ThinkPart | FilePart | CallPart)[]
  readonly id?: string
  readonly author?: string
  readonly at?: string
  readonly model?: string
  readonly pinned?: boolean
  readonly mark?: 'gap' | 'cue' | 'summary' | 'recall'
  readonly clipped?: boolean
  readonly index: number | null
  readonly text: string
  readonly fate: string
  readonly rule: string
  readonly tokens: number
}

/** What goes in and what comes out, by operation. */
export interface Operations {
  /** Start an agent on a task; it goes on by itself */
  'agents.deploy': {
    readonly input: {
      /** The id of a task */
      readonly task_id: string
      /** Its part, such as investigator, builder or reviewer */
      readonly agent_type?: string
      /** Words for this agent alone */
      readonly prompt?: string
      /** Who deploys it */
      readonly parent?: string
      /** claude, codex, gemini, model, … or one of the settings */
      readonly runner?: string
      readonly model?: string
      readonly timeout_seconds?: number
    }
    readonly output: Agent
  }
  /** End an agent and every process it started; one that has ended already stays as it is */
  'agents.kill': {
    readonly input: {
      /** The id of a task */
      readonly task_id: string
      /** The id of an agent */
      readonly agent_id: string
      readonly reason?: string
    }
    readonly output: Agent
  }
  /** What an agent has printed so far: all of it, its last or first lines, or from a byte on */
  'agents.read': {
    readonly input: {
      /** The id of a task */
      readonly task_id: string
      /** The id of an agent */
      readonly agent_id: string
      /** The last lines */
      readonly tail?: number
      /** The first lines */
      readonly head?: number
      readonly from_byte?: number
      readonly stream?: 'out' | 'err'
      /** jsonl: the lines that are JSON, parsed */
      readonly format?: 'text' | 'jsonl'
    }
    readonly output: {
      readonly agent: Agent
      readonly text: string
      readonly values?: readonly unknown[]
      readonly total_bytes: number
      /** No longer kept */
      readonly missing_bytes: number
      readonly next_byte: number
    }
  }
  /** Register a child task and deploy an agent on it */
  'agents.spawn': {
    readonly input: {
      /** The task of the parent */
      readonly task_id: string
      readonly parent_agent_id: string
      /** Its part, such as investigator, builder or reviewer */
      readonly child_agent_type: string
      /** What the child is to do */
      readonly child_prompt: string
      /** claude, codex, gemini, model, … or one of the settings */
      readonly runner?: string
      readonly model?: string
      readonly timeout_seconds?: number
      readonly background_context?: string | null
      /** What must come out */
      readonly expected_deliverables?: readonly string[] | string | null
      /** What must not be done */
      readonly constraints?: readonly string[] | string | null
      /** Paths to examine; told to the agents, never opened here */
      readonly relevant_files?: readonly string[] | string | null
      /** Messages that led to the task, oldest first; or {conversation, branch} kept here; also as a JSON string */
      readonly conversation_history?:
        | readonly (
            | {
                readonly role: 'user' | 'assistant' | 'orchestrator'
                readonly content: string
                /** ISO 8601; filled in when missing */
                readonly timestamp?: string
                readonly [name: string]: unknown
              }
            | {
                readonly role: 'user' | 'assistant' | 'orchestrator'
                readonly content: string
                /** ISO 8601; filled in when missing */
                readonly timestamp?: string
              }
          )[]
        | { readonly conversation: string; readonly branch?: string }
        | string
        | null
    }
    readonly output: CreatedTask & { readonly parent_task_id: string; readonly agent: Agent }
  }
  /** Forget a branch; its messages stay */
  'branches.delete': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      readonly branch: string
    }
    readonly output: null
  }
  /** The branches whose path has this message, main first; none where its branch was forgotten */
  'branches.find': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** The id of a message */
      readonly message_id: string
    }
    readonly output: { readonly items: readonly Branch[]; readonly next_cursor: null }
  }
  /** A new branch at a message, or at the beginning; nothing is copied */
  'branches.fork': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** The message where the branch begins; null for the beginning */
      readonly at: string | null
      /** Its name; made up when left out */
      readonly branch?: string
    }
    readonly output: Branch
  }
  /** The branches of a conversation */
  'branches.list': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
    }
    readonly output: { readonly items: readonly Branch[]; readonly next_cursor: null }
  }
  /** Give a branch another name; `main` keeps its own */
  'branches.rename': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      readonly branch: string
      readonly name: string
    }
    readonly output: Branch
  }
  /** Make a branch, or move it if it is where you saw it */
  'branches.set': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      readonly branch: string
      readonly head_id: string | null
      /** Its head now; null when there is no such branch yet */
      readonly expect: string | null
    }
    readonly output: Branch
  }
  /** Connect a model: a key or an address is tested, kept, and can be used at once */
  'connections.add': {
    readonly input: {
      /** A key, or the address of a server */
      readonly pasted: string
      /** Whose key it is, where its beginning does not tell */
      readonly provider?: string
      /** The key of a server whose address is pasted */
      readonly key?: string
    }
    readonly output: Connection
  }
  /** What is connected, and which servers of models run on this machine */
  'connections.list': {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      /** Whether models can be connected here: false where a program gave the service its models */
      readonly available: boolean
      readonly items: readonly Connection[]
      readonly next_cursor: null
      readonly local: readonly { readonly id: string; readonly label: string; readonly models: readonly string[] }[]
      /** Those whose keys can be pasted */
      readonly providers: readonly { readonly id: string; readonly label: string }[]
      /** The model that answers when none is named */
      readonly usual: string
    }
  }
  /** Forget a connection and its key */
  'connections.remove': { readonly input: { readonly connection: string }; readonly output: { readonly removed: true } }
  /** Try a key or an address: what it is, whether it works, and what it offers; nothing is kept */
  'connections.test': {
    readonly input: {
      /** A key, or the address of a server */
      readonly pasted: string
      /** Whose key it is, where its beginning does not tell */
      readonly provider?: string
      /** The key of a server whose address is pasted */
      readonly key?: string
    }
    readonly output: TestedConnection
  }
  /** Summarise what the window leaves out; undone by excluding the summary */
  'conversations.compact': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      readonly branch?: string
      /** Tokens of the window; the model’s own when left out */
      readonly budget?: number
      /** The conversation’s model, or picked sentences */
      readonly by?: 'model' | 'extractive'
    }
    readonly output: Compacted
  }
  /** A new conversation */
  'conversations.create': {
    readonly input: {
      /** Chosen by the caller, or given */
      readonly id?: string
      readonly title?: string
      readonly folder?: string
      readonly tags?: readonly string[]
      readonly system?: string
      readonly policy?: string
      readonly model?: string
      readonly recall?: 'conversation' | 'memories' | 'workspace'
      /** Most tokens of a request to the model */
      readonly budget?: number
      readonly temperature?: number
      /** How hard the model thinks, where it can be told */
      readonly effort?: 'low' | 'medium' | 'high'
      /** Whether the tools of the server may be called; null: as the server says */
      readonly tools?: boolean
      readonly meta?: Readonly<Record<string, unknown>>
    }
    readonly output: Conversation & {
      /** It was there already, by its key */
      readonly repeated: boolean
    }
  }
  /** Delete it and everything it owns */
  'conversations.delete': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
    }
    readonly output: Removal
  }
  /** All of it as JSON, or a branch in a form that people or other tools read */
  'conversations.export': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** json is our own, and the only one that holds everything */
      readonly format?: 'json' | 'markdown' | 'html' | 'chatgpt' | 'openai' | 'anthropic' | 'sharegpt'
      /** Of the forms that have one; json and chatgpt have them all */
      readonly branch?: string
    }
    readonly output: string
  }
  /** One conversation */
  'conversations.get': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
    }
    readonly output: Conversation
  }
  /** The conversations, newest first, pinned ones before the others */
  'conversations.list': {
    readonly input: {
      readonly limit?: number
      /** `next_cursor` of the page before */
      readonly cursor?: string
      /** In the title; a page may be short and still have a next one */
      readonly q?: string
      readonly folder?: string
      readonly tag?: string
      readonly pinned?: boolean
      readonly archived?: boolean
    }
    readonly output: { readonly items: readonly Conversation[]; readonly next_cursor: string | null }
  }
  /** Change its title, place, marks or settings */
  'conversations.update': {
    readonly input: {
      readonly title?: string
      readonly folder?: string | null
      readonly tags?: readonly string[]
      readonly pinned?: boolean
      readonly archived?: boolean
      readonly system?: string | null
      readonly policy?: string | null
      readonly model?: string | null
      readonly recall?: 'conversation' | 'memories' | 'workspace' | null
      readonly budget?: number | null
      readonly temperature?: number | null
      readonly effort?: 'low' | 'medium' | 'high' | null
      readonly tools?: boolean | null
      /** Replaces all of it */
      readonly meta?: Readonly<Record<string, unknown>>
      /** The id of a conversation */
      readonly conversation_id: string
    }
    readonly output: Conversation
  }
  /** Check that nothing was lost or changed: every hash and link */
  'conversations.verify': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
    }
    readonly output: {
      readonly ok: boolean
      readonly entries: number
      readonly faults: readonly { readonly seq: number; readonly fault: string }[]
    }
  }
  /** Report something an agent found */
  'findings.report': {
    readonly input: {
      /** The id of a task */
      readonly task_id: string
      /** Who reports; any name for agents from elsewhere */
      readonly agent_id: string
      /** issue, solution, insight, recommendation, or a word of your own */
      readonly finding_type: string
      /** low, medium, high or critical */
      readonly severity?: string
      readonly message: string
      /** Anything more, as JSON or a JSON string */
      readonly data?: unknown
    }
    readonly output: { readonly entry: TaskEvent; readonly task_status: string }
  }
  /** The folders and tags in use, by name, and how many conversations have them */
  'labels.list': { readonly input: { readonly archived?: boolean }; readonly output: Labels }
  /** Remember something; it is deleted with the conversation it comes from */
  'memories.add': {
    readonly input: {
      readonly text: string
      readonly kind?: 'profile' | 'semantic' | 'episodic' | 'derived'
      /** Where it comes from, with `message_id` */
      readonly conversation_id?: string
      readonly message_id?: string
    }
    readonly output: Memory
  }
  /** Correct what is known */
  'memories.correct': {
    readonly input: {
      /** The id of a memory */
      readonly memory_id: string
      readonly kind?: 'profile' | 'semantic' | 'episodic' | 'derived'
      readonly text?: string
      /** The revision you saw */
      readonly expect?: number
    }
    readonly output: Memory
  }
  /** Forget it; no window has it again */
  'memories.delete': {
    readonly input: {
      /** The id of a memory */
      readonly memory_id: string
    }
    readonly output: null
  }
  /** Draw notes from a conversation: what happened and what follows, each with the message it rests on */
  'memories.derive': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      readonly branch?: string
      /** How many of the newest messages are read */
      readonly messages?: number
      /** How many words the notes may have together */
      readonly words?: number
    }
    readonly output: Derived
  }
  /** Everything that is known, oldest first: one JSON document per line */
  'memories.export': { readonly input: Readonly<Record<string, never>>; readonly output: Memory }
  /** One memory */
  'memories.get': {
    readonly input: {
      /** The id of a memory */
      readonly memory_id: string
    }
    readonly output: Memory
  }
  /** What is known, newest first */
  'memories.list': {
    readonly input: {
      readonly limit?: number
      /** `next_cursor` of the page before */
      readonly cursor?: string
      readonly kind?: 'profile' | 'semantic' | 'episodic' | 'derived'
    }
    readonly output: { readonly items: readonly Memory[]; readonly next_cursor: string | null }
  }
  /** Add to a branch; without a conversation a new one begins */
  'messages.append': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id?: string
      /** Of a new conversation */
      readonly title?: string
      readonly branch?: string
      /** The head you saw; if it has moved on, nothing is written */
      readonly expect?: string | null
      readonly message?: NewMessage
      readonly messages?: readonly NewMessage[]
    }
    readonly output: Appended
  }
  /** Another version of it, on a branch of its own */
  'messages.edit': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** The id of a message */
      readonly message_id: string
      readonly branch?: string
      /** Begin an answer at once, with these settings */
      readonly run?: {
        readonly model?: string
        readonly policy?: string
        /** Tokens for the whole request to the model */
        readonly budget?: number
        readonly system?: string
        /** How far to look beyond the conversation: at what is known, or also at other conversations */
        readonly recall?: 'conversation' | 'memories' | 'workspace'
        /** Most tokens of the answer */
        readonly output?: number
        readonly temperature?: number
      }
      readonly message: NewMessage
    }
    readonly output: Appended & { readonly run: Run | null }
  }
  /** The whole text of a message, also of a result that was cut for storage; or a part of it */
  'messages.expand': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** The id of a message */
      readonly message_id: string
      /** Characters to skip */
      readonly offset?: number
      /** At most so many characters; the rest when left out */
      readonly length?: number
    }
    readonly output: {
      readonly id: string
      readonly text: string
      /** There is more from here on */
      readonly next_offset: number | null
    }
  }
  /** One message */
  'messages.get': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** The id of a message */
      readonly message_id: string
    }
    readonly output: Message
  }
  /** The path of a branch, oldest first, its newest page first */
  'messages.list': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      readonly branch?: string
      /** The path that ends here, instead of a branch */
      readonly head?: string
      /** The page that ends before this message: `next_cursor` */
      readonly before?: string
      readonly limit?: number
    }
    readonly output: {
      readonly items: readonly Message[]
      readonly next_cursor: string | null
      readonly head_id: string | null
    }
  }
  /** Mark it as pinned or as excluded */
  'messages.mark': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** The id of a message */
      readonly message_id: string
      readonly pinned?: boolean
      readonly excluded?: boolean
    }
    readonly output: Message
  }
  /** Say what an answer was worth: -1, 0 or 1 */
  'messages.rate': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** The id of a message */
      readonly message_id: string
      readonly value: number
      readonly note?: string
    }
    readonly output: Rating
  }
  /** Remove its words wherever they are kept; order and links stay */
  'messages.redact': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** The id of a message */
      readonly message_id: string
    }
    readonly output: Removal
  }
  /** A branch that ends before an answer, ready for another one */
  'messages.regenerate': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** The id of a message */
      readonly message_id: string
      readonly branch?: string
      /** Begin an answer at once, with these settings */
      readonly run?: {
        readonly model?: string
        readonly policy?: string
        /** Tokens for the whole request to the model */
        readonly budget?: number
        readonly system?: string
        /** How far to look beyond the conversation: at what is known, or also at other conversations */
        readonly recall?: 'conversation' | 'memories' | 'workspace'
        /** Most tokens of the answer */
        readonly output?: number
        readonly temperature?: number
      }
    }
    readonly output: Branch & { readonly run: Run | null }
  }
  /** Messages with all the words, newest first; or of like meaning, best first */
  'messages.search': {
    readonly input: {
      readonly limit?: number
      /** `next_cursor` of the page before */
      readonly cursor?: string
      /** The last word may be a beginning */
      readonly q: string
      /** keyword: all the words; semantic: like meaning; hybrid: both, fused by their ranks */
      readonly mode?: 'keyword' | 'semantic' | 'hybrid'
      /** Only this conversation */
      readonly conversation_id?: string
      /** With conversation_id: only what is on the path of this branch */
      readonly branch?: string
      /** Only conversations with this tag */
      readonly tag?: string
      readonly role?: 'system' | 'user' | 'assistant' | 'tool'
      readonly since?: string
      readonly until?: string
    }
    readonly output: {
      readonly items: readonly Hit[]
      readonly next_cursor: string | null
      /** Not in mode keyword: why there may be more, or better */
      readonly warnings?: readonly Issue[]
    }
  }
  /** The models that can be asked, and the one that answers when none is named */
  'models.list': {
    readonly input: Readonly<Record<string, never>>
    readonly output: { readonly items: readonly Model[]; readonly next_cursor: null; readonly usual: string }
  }
  /** Choose the model that answers when none is named */
  'models.use': { readonly input: { readonly model: string }; readonly output: { readonly usual: string } }
  /** What a connection offers now */
  'offers.list': { readonly input: { readonly connection: string }; readonly output: TestedConnection }
  /** The path of a branch in brief, oldest first, its newest page first */
  'outline.get': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      readonly branch?: string
      /** The path that ends here, instead of a branch */
      readonly head?: string
      /** The page that ends before this message: `next_cursor` */
      readonly before?: string
      readonly limit?: number
    }
    readonly output: { readonly items: readonly Brief[]; readonly next_cursor: string | null }
  }
  /** One policy, every field of it */
  'policies.get': { readonly input: { readonly policy: string }; readonly output: Policy }
  /** The policies that come with the package */
  'policies.list': {
    readonly input: Readonly<Record<string, never>>
    readonly output: { readonly items: readonly Policy[]; readonly next_cursor: null }
  }
  /** Report how far an agent is, and move the task if that says so */
  'progress.report': {
    readonly input: {
      /** The id of a task */
      readonly task_id: string
      /** Who reports; any name for agents from elsewhere */
      readonly agent_id: string
      /** working, blocked, completed, … in one word */
      readonly status: string
      readonly message: string
      /** Per cent, 0 to 100 */
      readonly progress?: number
      readonly task_state?: 'active' | 'blocked' | 'completed' | 'failed' | 'cancelled'
      /** What came out, with task_state: completed */
      readonly result?: unknown
    }
    readonly output: { readonly entry: TaskEvent; readonly task_status: string }
  }
  /** What became different from one window to another */
  'receipts.diff': {
    readonly input: {
      /** The id of a receipt */
      readonly receipt_id: string
      /** The id of a receipt */
      readonly other_id: string
    }
    readonly output: ReceiptDiff
  }
  /** What was sent and what was not, and why: by a receipt, a conversation (its newest) or a task */
  'receipts.explain': {
    readonly input: {
      /** The id of a receipt */
      readonly receipt_id?: string
      /** Its newest receipt */
      readonly conversation_id?: string
      /** The receipt of the history that was handed over */
      readonly task_id?: string
    }
    readonly output: Explanation
  }
  /** One receipt, also in words */
  'receipts.get': {
    readonly input: {
      /** The id of a receipt */
      readonly receipt_id: string
    }
    readonly output: KeptReceipt
  }
  /** The receipts of a conversation, newest first */
  'receipts.list': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      readonly limit?: number
      /** `next_cursor` of the page before */
      readonly cursor?: string
    }
    readonly output: { readonly items: readonly KeptReceipt[]; readonly next_cursor: string | null }
  }
  /** Make the window again and see whether it is the same to the byte */
  'receipts.replay': {
    readonly input: {
      /** The id of a receipt */
      readonly receipt_id: string
    }
    readonly output: Replay
  }
  /** The window as it would have been with other settings; nothing is sent and nothing is kept */
  'receipts.what_if': {
    readonly input: {
      /** The id of a receipt */
      readonly receipt_id: string
      readonly policy?: string
      /** Fields of the policy to change */
      readonly overrides?: Readonly<Record<string, unknown>>
      readonly budget?: number | null
      readonly model?: string
      /** Name the details that are only in what is left out */
      readonly risks?: boolean
      /** For this window in the place of the marks that are kept with the conversation */
      readonly marks?: {
        readonly pinned?: readonly string[]
        readonly excluded?: readonly string[]
        readonly whole?: readonly string[]
      }
    }
    readonly output: Window
  }
  /** Allow or deny a call that waits */
  'runs.decide': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** The id of a run */
      readonly run_id: string
      /** As the run says in `waiting` */
      readonly call_id: string
      readonly verdict: 'approve' | 'deny'
      /** Told to the model when it is a denial */
      readonly reason?: string
    }
    readonly output: Decided
  }
  /** One run */
  'runs.get': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** The id of a run */
      readonly run_id: string
    }
    readonly output: Run
  }
  /** The runs of a conversation, newest first */
  'runs.list': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      readonly limit?: number
      /** `next_cursor` of the page before */
      readonly cursor?: string
    }
    readonly output: { readonly items: readonly Run[]; readonly next_cursor: string | null }
  }
  /** Let a run go on that was stopped, cut off or reached a limit */
  'runs.resume': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** The id of a run */
      readonly run_id: string
    }
    readonly output: StartedRun
  }
  /** Say something and have it answered */
  'runs.start': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      readonly model?: string
      /** The name of a policy, or one in full */
      readonly policy?: string | Readonly<Record<string, unknown>>
      /** Tokens for the whole request to the model */
      readonly budget?: number
      readonly system?: string
      /** How far to look beyond the conversation: at what is known, or also at other conversations */
      readonly recall?: 'conversation' | 'memories' | 'workspace'
      /** Most tokens of the answer */
      readonly output?: number
      readonly temperature?: number
      readonly message?: NewMessage
      readonly author?: string
      readonly branch?: string
      /** The head you saw; if it has moved on, nothing is written */
      readonly expect?: string | null
      /** While another run is active */
      readonly when_busy?: 'refuse' | 'queue'
      /** Fields that replace the policy's */
      readonly overrides?: Readonly<Record<string, unknown>>
      /** For this window in the place of the marks that are kept with the conversation */
      readonly marks?: {
        readonly pinned?: readonly string[]
        readonly excluded?: readonly string[]
        readonly whole?: readonly string[]
      }
      /** Tools that you run: the run ends with their calls */
      readonly tools?: readonly {
        readonly name: string
        readonly description?: string
        /** JSON Schema */
        readonly parameters: Readonly<Record<string, unknown>>
      }[]
      /** Whether it may call the tools of the server */
      readonly agent?: boolean
      /** What the agent may use up for this message; the server has its own */
      readonly limits?: {
        /** Answers of the model */
        readonly steps?: number
        /** In and out, as the provider counts */
        readonly tokens?: number
        readonly seconds?: number
      }
    }
    readonly output: StartedRun
  }
  /** Stop a run, from anywhere; what it has said stays */
  'runs.stop': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** The id of a run */
      readonly run_id: string
    }
    readonly output: Run
  }
  /** A link by which anyone may read one branch */
  'shares.create': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      readonly branch?: string
      /** snapshot: what the branch says now, for ever; live: whatever it says when someone looks */
      readonly mode?: 'snapshot' | 'live'
      /** Seconds */
      readonly expires_in?: number
      readonly title?: string
      /** Show the names of those who wrote */
      readonly authors?: boolean
    }
    readonly output: Share & { readonly token: string; readonly url: string }
  }
  /** The links of a conversation, newest first */
  'shares.list': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      readonly limit?: number
      /** `next_cursor` of the page before */
      readonly cursor?: string
    }
    readonly output: { readonly items: readonly Share[]; readonly next_cursor: string | null }
  }
  /** Take a link back, at once */
  'shares.revoke': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** The id of a share */
      readonly share_id: string
    }
    readonly output: null
  }
  /** Register a task together with the conversation that led to it */
  'tasks.create': {
    readonly input: {
      /** What is to be done */
      readonly description: string
      readonly priority?: 'P0' | 'P1' | 'P2' | 'P3' | 'P4'
      /** Absolute folder in which the agents work */
      readonly client_cwd?: string | null
      readonly background_context?: string | null
      /** What must come out */
      readonly expected_deliverables?: readonly string[] | string | null
      /** When it is done well */
      readonly success_criteria?: readonly string[] | string | null
      /** What must not be done */
      readonly constraints?: readonly string[] | string | null
      /** Paths to examine; told to the agents, never opened here */
      readonly relevant_files?: readonly string[] | string | null
      /** Where to read more */
      readonly related_documentation?: readonly string[] | string | null
      /** Messages that led to the task, oldest first; or {conversation, branch} kept here; also as a JSON string */
      readonly conversation_history?:
        | readonly (
            | {
                readonly role: 'user' | 'assistant' | 'orchestrator'
                readonly content: string
                /** ISO 8601; filled in when missing */
                readonly timestamp?: string
                readonly [name: string]: unknown
              }
            | {
                readonly role: 'user' | 'assistant' | 'orchestrator'
                readonly content: string
                /** ISO 8601; filled in when missing */
                readonly timestamp?: string
              }
          )[]
        | { readonly conversation: string; readonly branch?: string }
        | string
        | null
      /** How the history is cut; handoff-user-first (user 8,000 chars, others 150) unless the server says otherwise */
      readonly preset?: 'handoff-balanced' | 'handoff-user-first' | 'handoff-assistant-first'
      /** What stands for messages that do not fit */
      readonly compress?: 'none' | 'extractive' | 'model'
      /** The model that summarises, with compress: model */
      readonly model?: string
      /** Only one branch, or only turns that score at least so much against the description */
      readonly thread?:
        | { readonly branch: string }
        | { readonly relevance: number }
        | { readonly max_relevance_score: number }
        | string
        | null
      /** Tokens of the prompt that all agents get */
      readonly tokens?: number
      /** The task it is a part of */
      readonly parent_task_id?: string
    }
    readonly output: CreatedTask
  }
  /** Where a task is, who works on it, and what they found */
  'tasks.get': {
    readonly input: {
      /** The id of a task */
      readonly task_id: string
      /** More about it: its context, the prompt of its agents, the histories above it, its conversation now */
      readonly include?:
        | readonly ('context' | 'prompt' | 'ancestors' | 'live')[]
        | 'context'
        | 'prompt'
        | 'ancestors'
        | 'live'
    }
    readonly output: {
      readonly task: Task
      readonly agents: readonly Agent[]
      readonly agent_states: Readonly<Record<string, number>>
      readonly finding_severities: Readonly<Record<string, number>>
      readonly children: number
      /** The newest first */
      readonly recent: readonly TaskEvent[]
      /** task_context as it is stored */
      readonly context?: unknown
      readonly prompt?: { readonly text: string; readonly tokens: number; readonly excess: number }
      readonly ancestors?: { readonly text: string; readonly tokens: number }
      readonly live?: { readonly moved: boolean; readonly text: string } | null
    }
  }
  /** The tasks, newest first */
  'tasks.list': {
    readonly input: {
      readonly limit?: number
      /** `next_cursor` of the page before */
      readonly cursor?: string
      readonly state?: 'registered' | 'active' | 'blocked' | 'completed' | 'failed' | 'cancelled'
      readonly priority?: 'P0' | 'P1' | 'P2' | 'P3' | 'P4'
      readonly parent_task_id?: string
      /** Words of the description or of a finding */
      readonly q?: string
    }
    readonly output: { readonly items: readonly Task[]; readonly next_cursor: string | null }
  }
  /** Add a server, or change one that was added: its tools are there from the next run on */
  'tool_servers.add': {
    readonly input: {
      /** Its tools are called NAME__TOOL */
      readonly server: string
      readonly command?: string
      readonly args?: readonly string[]
      /** Names of variables that the program gets */
      readonly env?: readonly string[]
      readonly cwd?: string
      readonly url?: string
      readonly headers?: Readonly<Record<string, string>>
      /** `ask`: someone allows each call; `always`: it runs at once; `never`: it is refused */
      readonly approval?: 'ask' | 'always' | 'never'
      readonly tools?: Readonly<Record<string, 'ask' | 'always' | 'never'>>
    }
    readonly output: ToolServer
  }
  /** Change which calls of a server that was added run at once, are asked about or refused */
  'tool_servers.allow': {
    readonly input: {
      /** Its tools are called NAME__TOOL */
      readonly server: string
      /** Of all its tools that have none of their own */
      readonly approval?: 'ask' | 'always' | 'never'
      /** Of single tools, by their own names or as a model calls them; others stay as they are */
      readonly tools?: Readonly<Record<string, 'ask' | 'always' | 'never'>>
    }
    readonly output: ToolServer
  }
  /** What a server offers now */
  'tool_servers.check': {
    readonly input: {
      /** Its tools are called NAME__TOOL */
      readonly server: string
    }
    readonly output: OfferedTools
  }
  /** The servers that tools come from */
  'tool_servers.list': {
    readonly input: Readonly<Record<string, never>>
    readonly output: { readonly items: readonly ToolServer[]; readonly next_cursor: null }
  }
  /** Remove a server that was added; its tools are gone from the next run on */
  'tool_servers.remove': {
    readonly input: {
      /** Its tools are called NAME__TOOL */
      readonly server: string
    }
    readonly output: null
  }
  /** Try a server: whether it answers, and which tools it has; nothing is kept */
  'tool_servers.test': {
    readonly input: {
      /** Its tools are called NAME__TOOL */
      readonly server: string
      readonly command?: string
      readonly args?: readonly string[]
      /** Names of variables that the program gets */
      readonly env?: readonly string[]
      readonly cwd?: string
      readonly url?: string
      readonly headers?: Readonly<Record<string, string>>
      /** `ask`: someone allows each call; `always`: it runs at once; `never`: it is refused */
      readonly approval?: 'ask' | 'always' | 'never'
      readonly tools?: Readonly<Record<string, 'ask' | 'always' | 'never'>>
    }
    readonly output: OfferedTools
  }
  /** The tools that an agent may call now */
  'tools.list': {
    readonly input: Readonly<Record<string, never>>
    readonly output: { readonly items: readonly AgentTool[]; readonly next_cursor: null }
  }
  /** Bring conversations in from a file, a folder or a zip */
  'transfer.import': {
    readonly input: {
      /** A file or a folder */
      readonly path: string
      /** The format; left out, the shape of each file decides */
      readonly from?:
        | 'throughline'
        | 'codex'
        | 'claude-code'
        | 'openai-ft'
        | 'sharegpt'
        | 'chatgpt'
        | 'claude-ai'
        | 'openwebui'
        | 'gemini-takeout'
        | 'aistudio'
        | 'gemini-cli'
        | 'opencode'
        | 'librechat'
        | 'markdown'
      /** Only say what would be done */
      readonly dry_run?: boolean
      /** Go on with what changes; each round ends with its report */
      readonly watch?: boolean
    }
    readonly output: ImportedConversation | ImportReport
  }
  /** Its messages as a tree */
  'tree.get': {
    readonly input: {
      /** The id of a conversation */
      readonly conversation_id: string
      /** Only what is near this message */
      readonly around?: string
      /** Levels up and down from `around` */
      readonly depth?: number
      /** The branch whose head is told */
      readonly branch?: string
      /** The page that begins after this `seq`: `next_cursor` */
      readonly after?: number
      readonly limit?: number
    }
    readonly output: {
      readonly head_id: string | null
      readonly nodes: readonly Node[]
      readonly next_cursor: string | null
    }
  }
  /** Messages, tokens, cost and outcome, by day and by conversation */
  'usage.get': {
    readonly input: {
      /** A day; 30 days back when left out */
      readonly from?: string
      /** A day, inclusive; today when left out */
      readonly to?: string
      /** Only this conversation */
      readonly conversation_id?: string
    }
    readonly output: Usage
  }
  /** The window of a conversation, or of messages you send, exactly as a run would send it; nothing is kept */
  'windows.assemble': {
    readonly input: {
      readonly conversation_id?: string
      readonly branch?: string
      /** Instead of a conversation: in any dialect */
      readonly messages?: readonly unknown[]
      /** The message to answer; left out, the branch as it is */
      readonly current?: unknown
      readonly system?: string
      readonly tools?: readonly unknown[]
      readonly policy?: string
      /** Fields of the policy to change */
      readonly overrides?: Readonly<Record<string, unknown>>
      /** How far to look beyond the conversation */
      readonly recall?: 'conversation' | 'memories' | 'workspace'
      /** For this window in the place of the marks that are kept with the conversation */
      readonly marks?: {
        readonly pinned?: readonly string[]
        readonly excluded?: readonly string[]
        readonly whole?: readonly string[]
      }
      readonly compat?: 'literal'
      /** Tokens of the window */
      readonly budget?: number
      readonly model?: string
      readonly target?:
        | 'openai-chat'
        | 'openai-responses'
        | 'anthropic'
        | 'google'
        | 'ai-sdk'
        | 'text-tagged'
        | 'text-numbered'
        | 'messages'
      /** Name the details that are only in what is left out */
      readonly risks?: boolean
    }
    readonly output: Window
  }
  /** Every conversation of the workspace, one record a line */
  'workspace.export': { readonly input: Readonly<Record<string, never>>; readonly output: string }
  /** One message of a session, and its answer */
  chat: {
    readonly input: {
      readonly message: string
      /** Left out, a session begins; one that is new begins under this name */
      readonly session_id?: string
      readonly model?: string
      readonly policy?: string
      readonly system?: string
      /** How far to look beyond the conversation: at what is known, or also at other conversations */
      readonly recall?: 'conversation' | 'memories' | 'workspace'
      readonly author?: string
      /** Events instead of JSON, as with Accept: text/event-stream */
      readonly stream?: boolean
    }
    readonly output: ChatAnswer
  }
  /** Version, storage, models and limits */
  getSystem: { readonly input: Readonly<Record<string, never>>; readonly output: System }
}

/** What is said besides the ids of the path. */
type Body<Name extends keyof Operations> = Omit<Input<Name>, 'conversation_id' | 'message_id' | 'run_id' | 'receipt_id'>

/** What an operation takes, by its name. */
export type Input<Name extends keyof Operations> = Operations[Name]['input']
/** What an operation answers, by its name. */
export type Output<Name extends keyof Operations> = Operations[Name]['output']
/** A page of anything. */
export type Page<T> = { readonly items: readonly T[]; readonly next_cursor: string | null }
/** How much of a list, and from where on. */
export type Paging = Pick<Input<'conversations.list'>, 'limit' | 'cursor'>
/** A conversation to begin, all of it optional. */
export type NewConversation = Input<'conversations.create'>
/** What to change of a conversation; the rest stays. */
export type ConversationPatch = Body<'conversations.update'>
/** Which conversations to list. */
export type ConversationFilter = Omit<Input<'conversations.list'>, keyof Paging>
/** How long a model may think. */
export type Effort = NonNullable<NewConversation['effort']>
/** Where recall looks: only here; also at what is known; also at the workspace's other conversations. */
export type RecallFrom = NonNullable<NewConversation['recall']>
/** A tag, and how many conversations have it. */
export type Label = Output<'labels.list'>['tags'][number]
/** Every branch of a conversation, one line for each message. */
export type Tree = Output<'tree.get'>
/** How much of a tree. */
export type TreeQuery = Body<'tree.get'>
/** Which messages, of which branch. */
export type MessageQuery = Body<'messages.list'>
/** Messages to append, and where. */
export type AppendRequest = Omit<Body<'messages.append'>, 'title'>
/** A message in other words, on a branch of its own. */
export type EditRequest = Body<'messages.edit'>
/** Another answer to the same message. */
export type AgainRequest = Body<'messages.regenerate'>
/** A reader's verdict on an answer. */
export type RatingRequest = Body<'messages.rate'>
/** What to look for, and in which conversations. */
export type SearchQuery = Input<'messages.search'>
/** The hits of a search, best first. */
export type Found = Output<'messages.search'>
/** An answer to begin: the message, the model, the policy. */
export type RunRequest = Body<'runs.start'>
/** What one answer has of its own: model, policy, limits. */
export type RunSettings = NonNullable<AgainRequest['run']>
/** Tokens that an answer used, as the provider counted. */
export type RunUsage = NonNullable<Output<'runs.get'>['usage']>
/** Whether a call that waits may run. */
export type Decision = Body<'runs.decide'>
/** A message for `POST /chat`, and who says it. */
export type ChatRequest = Omit<Input<'chat'>, 'stream'>
/** Messages to make a window of; nothing is kept. */
export type AssembleRequest = Input<'windows.assemble'>
/** What to change of a window that was sent, to see what else would have come out. */
export type WhatIf = Body<'receipts.what_if'>
/** Something to know beyond one conversation. */
export type NewMemory = Input<'memories.add'>
/** What to correct of a memory. */
export type MemoryPatch = Omit<Input<'memories.correct'>, 'memory_id'>
/** What sort of thing a memory is. */
export type MemoryKind = Output<'memories.get'>['kind']
/** What of a conversation to show to anyone with the link. */
export type NewShare = Body<'shares.create'>
/** A provider to connect: where it is, and its key. */
export type NewConnection = Input<'connections.add'>
/** The providers that are connected. */
export type ConnectionList = Output<'connections.list'>
/** A model that a connected provider offers. */
export type OfferedModel = Output<'offers.list'>['models'][number]
/** Tokens and money of a period. */
export type UsageFigures = Output<'usage.get'>['totals']
/** An MCP server whose tools answers may call. */
export type NewToolServer = Input<'tool_servers.add'>
/** Whether a call asks first. */
export type ToolApproval = Output<'tool_servers.add'>['approval']
/** What an import brought in, and what it could not read. */
export type Imported = Output<'transfer.import'>
