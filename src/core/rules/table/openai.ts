import type { Rule } from './rule.js'

const node = 'github.com/openai/openai-node/blob/master/src/resources/responses/responses.ts'

/** What both APIs refuse alike. */
const both = [
  {
    rule: 'text.blank',
    kind: 'loss',
    says: 'Text is not blank. OpenAI itself takes an empty text; other servers that speak its API refuse it.',
    wording: 'chat content is empty',
    source: ['autogen#6083', 'pi#3311'],
  },
  {
    rule: 'tools.many',
    code: 'O-13',
    kind: 'settings',
    says: 'There are at most 128 tools.',
    wording: "'tools': array too long",
    repair: 'Leave out those that are not in use.',
    source: ['zed#42393'],
  },
  {
    rule: 'image.type',
    code: 'O-16',
    says: 'An image is a png, jpeg, gif or webp by its bytes, and labelled as such.',
    wording: 'unsupported image',
    repair: 'Labelled by its bytes; what is no picture is described in words.',
    source: ['gptpdf#6', 'llxprt-code#2719'],
  },
  {
    rule: 'request.chars',
    code: 'O-19',
    kind: 'settings',
    says: 'A text has at most 10,485,760 characters.',
    repair: 'Set a budget: no window comes near it.',
  },
  {
    rule: 'json.word',
    code: 'O-19',
    kind: 'settings',
    says: 'A request for a JSON object says the word JSON somewhere.',
    repair: 'Say it in the system text.',
  },
] as const satisfies readonly Rule[]

export const openaiChatRules = [
  { rule: 'request.shape', says: 'The request is { messages } or the list of messages.' },
  { rule: 'messages.empty', says: 'There is at least one message.', wording: "[] is too short - 'messages'" },
  { rule: 'message.shape', says: 'Every message is an object.' },
  { rule: 'message.role', says: 'The role is system, developer, user, assistant, tool or function.' },
  { rule: 'message.name', says: 'A name has 1 to 64 characters and matches ^[^\\s<|\\\\/>]+$.' },
  {
    rule: 'message.last',
    says:
      'The last message is from the user or a tool: the request asks for an answer. OpenAI itself ' +
      'tolerates others, compatible servers refuse them.',
  },
  {
    rule: 'messages.many',
    code: 'O-15',
    says: 'There are at most 2048 messages.',
    wording: "'messages': array too long",
    repair: 'The oldest messages are left out.',
    source: ['obot#1009'],
  },
  {
    rule: 'content.empty',
    says: 'Content is required, except beside tool_calls, function_call or audio; part lists are not empty.',
  },
  { rule: 'content.shape', says: 'Content is a string or a list of parts that have a type; text is a string.' },
  {
    rule: 'part.type',
    says: 'User parts are text, image_url, input_audio or file; assistant parts text or refusal; all others text.',
  },
  {
    rule: 'part.source',
    says: 'image_url has a url, input_audio has data and format wav or mp3, file has file_data or file_id.',
  },
  {
    rule: 'tool.calls',
    says: 'tool_calls stands on assistant messages only and is a list of at least one function or custom call.',
  },
  {
    rule: 'tool.calls.many',
    code: 'O-14',
    says: 'A message has at most 128 tool_calls.',
    wording: "tool_calls': array too long",
    repair: 'Split into groups, each with its results.',
    source: ['openai-dotnet#317'],
  },
  {
    rule: 'tool.id',
    says: 'A call id has 1 to 40 characters.',
    wording: 'string too long. Expected a string with maximum length 40',
  },
  { rule: 'tool.id.repeated', says: 'A call id is used once in the whole request.' },
  { rule: 'tool.name', says: 'A function name matches ^[a-zA-Z0-9_-]{1,64}$.' },
  { rule: 'tool.arguments', says: 'The arguments of a call are a string of valid JSON.' },
  {
    rule: 'tool.result.missing',
    says: 'Each call is answered by a tool message right behind its message.',
    wording:
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
  },
  {
    rule: 'tool.result.orphan',
    says: 'A tool message answers a call of the assistant message before.',
    wording: "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  },
  { rule: 'tool.result.repeated', says: 'A call has one result.' },
  {
    rule: 'tool.result.image',
    code: 'O-17',
    says: 'A tool message holds text only.',
    repair: 'The image goes to a user message behind the results, or is described in words.',
    source: ['qwen-code#3616'],
  },
  {
    rule: 'tools.shape',
    says: 'tools is a list of at least one definition, each with its own name of the form above.',
  },
  {
    rule: 'effort.tools',
    code: 'O-18',
    kind: 'settings',
    says: 'Functions and reasoning_effort other than none do not go together.',
    models: 'GPT from 5.4, on Chat Completions',
    wording: 'Function tools with reasoning_effort are not supported',
    repair: 'Use Responses, or the effort `none`.',
    source: ['community.openai.com/t/1386454'],
  },
  ...both,
] as const satisfies readonly Rule[]

export const openaiResponsesRules = [
  { rule: 'request.shape', says: 'The request is { input } with a list or a text, or the list of items.' },
  { rule: 'messages.empty', says: 'There is at least one input item.' },
  { rule: 'item.shape', says: 'Every item is an object with a type; a message may go without one.' },
  {
    rule: 'item.id',
    code: 'O-07',
    says:
      'An item id has 1 to 64 characters of a-z, A-Z, 0-9, _ and -, and begins with msg, rs or fc on a ' +
      'message, reasoning or function call.',
    wording: "begins with 'rs'",
    repair: 'Ids of another form are left out.',
    source: ['langchainjs#11045'],
  },
  {
    rule: 'item.id.repeated',
    says: 'An item id is used once.',
    wording: 'Duplicate item found with id',
  },
  { rule: 'message.role', says: 'The role of a message is user, assistant, system or developer.' },
  {
    rule: 'message.last',
    says: 'The last item is a user message or the output of a call: the request asks for an answer.',
  },
  { rule: 'instructions.shape', says: 'instructions is a string.' },
  { rule: 'content.empty', says: 'Content is required; part lists are not empty.' },
  { rule: 'content.shape', says: 'Content is a string or a list of parts that have a type; text is a string.' },
  {
    rule: 'part.type',
    says:
      'Assistant parts are output_text or refusal; all others input_text, input_image, input_file or ' + 'input_audio.',
    wording: "Supported values are: 'output_text' and 'refusal'",
  },
  { rule: 'part.source', says: 'input_image has image_url or file_id; input_file has file_data, file_url or file_id.' },
  {
    rule: 'reasoning.shape',
    code: 'O-07',
    says: 'A reasoning item has a list `summary` (it may be empty) and an id or encrypted_content.',
    wording: 'missing required field summary',
    repair: 'The summary is always written.',
    source: ['Agora#141'],
  },
  {
    rule: 'reasoning.alone',
    code: 'O-03',
    says: 'An assistant message or a call follows a reasoning item.',
    wording: "'reasoning' was provided without its required following item",
    repair: 'Reasoning that led to nothing is dropped.',
    source: ['openai-node#1567'],
  },
  {
    rule: 'reasoning.call',
    code: 'O-01',
    says: 'A function call with an item id stands behind the reasoning that led to it.',
    models: 'reasoning models',
    wording: "'function_call' was provided without its required 'reasoning' item",
    repair: 'Calls are written without an item id.',
    source: ['mastra#10713', 'cline#12242'],
  },
  {
    rule: 'reasoning.message',
    code: 'O-02',
    says: 'An assistant message with an item id stands right behind the reasoning that led to it.',
    models: 'reasoning models',
    wording: "'message' was provided without its required 'reasoning' item",
    repair: 'Messages are written without an item id.',
    source: ['continue#12620', 'continue#11994'],
  },
  {
    rule: 'reasoning.unstored',
    code: 'O-04',
    says: 'With `store: false` reasoning brings its encrypted_content, and nothing is a reference.',
    wording: 'Items are not persisted when `store` is set to false',
    repair: 'Reasoning without encrypted content is dropped.',
    source: ['opencode#7724', 'oh-my-pi#41'],
  },
  {
    rule: 'reasoning.foreign',
    code: 'O-05',
    says: 'Encrypted content goes back to the account, route and model it came from.',
    wording: 'could not be verified',
    repair: 'Reasoning of another route or model is dropped.',
    source: ['codex#8145', 'codex#35334'],
  },
  {
    rule: 'reasoning.content',
    code: 'O-06',
    says: 'The content of a reasoning item is empty or left out.',
    wording: "content': array too long",
    repair: 'It is never written.',
    source: ['claude-code-router#1783'],
  },
  {
    rule: 'reasoning.extra',
    code: 'O-08',
    says: 'A reasoning item has no key that only answers have.',
    wording: 'Unknown parameter:',
    repair: 'Written anew with the keys it has.',
    source: ['litellm#13420'],
  },
  {
    rule: 'reasoning.changed',
    code: 'O-12',
    kind: 'loss',
    says: 'Changes before a reasoning item (items, instructions, tools, the format) drop it without a word.',
    models: 'the newest',
    repair: 'Windows only grow at their end between two cuts.',
    source: ['developers.openai.com/docs/guides/preserved-reasoning'],
  },
  {
    rule: 'tool.id',
    says: 'call_id has 1 to 64 characters.',
    wording: 'string too long. Expected a string with maximum length 64',
  },
  { rule: 'tool.id.repeated', says: 'A call_id is used by one call.' },
  { rule: 'tool.name', says: 'The name of a call has 1 to 64 characters of a-z, A-Z, 0-9, _ and -.' },
  {
    rule: 'tool.arguments',
    says: 'The arguments of a function call are a string of valid JSON; the input of a custom call is a string.',
  },
  {
    rule: 'tool.result.missing',
    code: 'O-09',
    says:
      'A call that the client runs has an output of its own type: function, custom, shell, local_shell, ' +
      'apply_patch, computer and tool_search.',
    wording: 'No tool output found for',
    repair: 'Closed with a note that it was interrupted.',
    source: [node],
  },
  {
    rule: 'tool.result.orphan',
    says: 'The call comes before its output, unless it is behind previous_response_id or in the conversation.',
    wording: 'No tool call found for function call output with call_id',
  },
  { rule: 'tool.result.repeated', says: 'A call has one output.' },
  {
    rule: 'approval.open',
    code: 'O-10',
    says: 'An mcp_approval_request has its mcp_approval_response.',
    repair: 'Requests for approval are not replayed.',
    source: [node],
  },
  {
    rule: 'previous.conversation',
    code: 'O-19',
    kind: 'settings',
    says: 'A request names a previous response or a conversation, not both.',
    repair: 'Leave one of them out.',
  },
  {
    rule: 'tools.shape',
    says: 'tools is a list of definitions; functions have a name of their own of the form above.',
  },
  ...both,
] as const satisfies readonly Rule[]
