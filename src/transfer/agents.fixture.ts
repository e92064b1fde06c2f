/** Files as other products write them, and what the log says then. */
import { codeRecord, type FormatCase, lines } from './import.fixture.js'

const code = (uuid: string, parent: string | null, block: object, more: object = {}) =>
  codeRecord(uuid, parent, 'assistant', {
    message: { id: `m-${uuid}`, role: 'assistant', model: 'claude-x', content: [block], stop_reason: 'end_turn' },
    ...more,
  })
const asked = (uuid: string, parent: string | null, content: unknown, more: object = {}) =>
  codeRecord(uuid, parent, 'user', { message: { role: 'user', content }, ...more })
const use = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { path: id } })
const back = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: `of ${id}` }]
const item = (payload: object) => ({ timestamp: '2026-01-04T09:00:00.000Z', type: 'response_item', payload })
const codexSaid = (role: string, text: string) =>
  item({ type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] })
const codexMeta = { timestamp: '2026-01-04T09:00:00.000Z', type: 'session_meta', payload: { id: 'x', cwd: '/w/app' } }
const event = (payload: object) => ({ timestamp: '2026-01-04T09:00:00.000Z', type: 'event_msg', payload })
const text = (words: string) => ({ type: 'text', text: words })
const openCode = (id: string, role: string, parts: object[], more: object = {}) => ({
  info: { id, role, time: { created: 1_767_500_000_000 }, ...more },
  parts,
})
const openCodeInfo = { id: 'ses_1', title: 'Fix build', directory: '/w/app', time: { created: 1_767_500_000_000 } }

export const agents: readonly FormatCase[] = [
  {
    what: 'Claude Code: a compaction is visible, with its summary',
    format: 'claude-code',
    file: lines(
      asked('1', null, 'Fix the login'),
      code('2', '1', { type: 'text', text: 'Fixed.' }),
      codeRecord('3', null, 'system', {
        logicalParentUuid: '2',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        compactMetadata: { trigger: 'auto', preTokens: 155_000 },
      }),
      asked('4', '3', 'The login was fixed.', { isCompactSummary: true }),
      asked('5', '4', 'Go on'),
      { type: 'custom-title', customTitle: 'Login', sessionId: 's' },
    ),
    says: ['user Fix the login', 'assistant Fixed.', 'note', 'summary The login was fixed.', 'user Go on'],
    branches: 1,
    title: 'Login',
  },
  {
    what: 'Claude Code: calls made at once, results that name other lines, progress between them',
    format: 'claude-code',
    file: lines(
      asked('1', null, 'Read both'),
      codeRecord('2', '1', 'assistant', {
        message: { id: 'm', role: 'assistant', content: [use('a')], stop_reason: null },
      }),
      codeRecord('3', '2', 'assistant', {
        message: { id: 'm', role: 'assistant', content: [use('b')], stop_reason: 'tool_use' },
      }),
      codeRecord('p', '3', 'progress', { data: { type: 'bash_progress' } }),
      asked('4', '2', back('a')),
      asked('5', '3', back('b')),
      code('6', '5', { type: 'text', text: 'Both read.' }),
    ),
    says: ['user Read both', 'call Read, call Read', 'result of a', 'result of b', 'assistant Both read.'],
    branches: 1,
    skipped: ['record of type progress'],
  },
  {
    what: 'Claude Code: a rewind is a branch, and an agent that was sent out is a conversation of its own',
    format: 'claude-code',
    file: lines(
      asked('1', null, 'Start'),
      code('2', '1', { type: 'text', text: 'One way.' }),
      asked('3', '1', 'Another way'),
      asked('9', null, 'You are an agent', { isSidechain: true, agentId: 'ag' }),
    ),
    says: ['user Start', 'assistant One way.', 'user Another way'],
    branches: 3,
    head: 'Another way',
  },
  {
    what: 'Codex: reasoning goes with its call, a compaction is visible, events are not told twice',
    format: 'codex',
    file: lines(
      codexMeta,
      codexSaid('developer', '<permissions>'),
      codexSaid('user', '<environment_context>here</environment_context>'),
      codexSaid('user', 'list files'),
      event({ type: 'user_message', message: 'list files' }),
      item({
        type: 'reasoning',
        id: 'r',
        summary: [{ type: 'summary_text', text: 'Need ls' }],
        encrypted_content: 'gAAA',
      }),
      item({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'k' }),
      item({ type: 'function_call_output', call_id: 'k', output: 'a.ts' }),
      codexSaid('assistant', 'Only a.ts'),
      event({ type: 'token_count', info: { last_token_usage: { input_tokens: 9 } } }),
      {
        timestamp: '2026-01-04T10:00:00.000Z',
        type: 'compacted',
        payload: { message: 'So far', replacement_history: [] },
      },
    ),
    says: [
      'system <permissions>',
      'user <environment_context>here</environment_context>',
      'user list files',
      'call shell',
      'result a.ts',
      'assistant Only a.ts',
      'note',
      'summary So far',
    ],
    branches: 1,
    skipped: ['record of type user_message'],
    title: 'list files',
  },
  {
    what: 'Codex: turns that were rolled back leave the path',
    format: 'codex',
    file: lines(
      codexMeta,
      codexSaid('user', 'One'),
      codexSaid('assistant', 'Wrong'),
      event({ type: 'thread_rolled_back', num_turns: 1 }),
      codexSaid('user', 'Two'),
      codexSaid('assistant', 'Right'),
    ),
    says: ['user One', 'assistant Wrong', 'user Two', 'assistant Right'],
    branches: 2,
    head: 'Right',
  },
  {
    what: 'Codex: lines without an envelope, and an output whose call is not there',
    format: 'codex',
    file: lines(
      { id: 'old', timestamp: '2025-05-01T00:00:00Z', instructions: null },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'function_call_output', call_id: 'lost', output: 'late' },
      { record_type: 'state' },
    ),
    says: ['user Hi', 'call tool', 'result late'],
    branches: 1,
    skipped: ['record of type state'],
  },
  {
    what: 'opencode: reasoning, a tool, a file, steps',
    format: 'opencode',
    file: {
      info: openCodeInfo,
      messages: [
        openCode('1', 'user', [
          text('Fix it'),
          { type: 'file', mime: 'text/plain', filename: 'e.log', url: 'data:text/plain;base64,ZXJy' },
        ]),
        openCode(
          '2',
          'assistant',
          [
            { type: 'step-start' },
            { type: 'reasoning', text: 'Look' },
            {
              type: 'tool',
              callID: 'c',
              tool: 'bash',
              state: { status: 'completed', input: { command: 'make' }, output: 'ok' },
            },
            text('Fixed.'),
          ],
          { modelID: 'm' },
        ),
      ],
    },
    says: ['user Fix it', 'assistant Fixed.', 'result ok'],
    branches: 1,
    title: 'Fix build',
  },
  {
    what: 'opencode: what was reverted is not the head',
    format: 'opencode',
    file: {
      info: { ...openCodeInfo, revert: { messageID: '3' } },
      messages: [
        openCode('1', 'user', [text('A')]),
        openCode('2', 'assistant', [text('B')]),
        openCode('3', 'user', [text('C')]),
      ],
    },
    says: ['user A', 'assistant B', 'user C'],
    branches: 2,
    head: 'B',
  },
  {
    what: 'opencode: a compaction, a tool that failed, a tool that never ended',
    format: 'opencode',
    file: {
      info: openCodeInfo,
      messages: [
        openCode('1', 'user', [text('Go')]),
        openCode('2', 'assistant', [
          { type: 'tool', callID: 'a', tool: 'x', state: { status: 'error', input: {}, error: 'no' } },
          { type: 'tool', callID: 'b', tool: 'y', state: { status: 'running', input: {} } },
        ]),
        openCode('3', 'user', [{ type: 'compaction', auto: true }]),
        openCode('4', 'assistant', [text('So far')], { summary: true }),
      ],
    },
    says: ['user Go', 'call x, call y', 'result no', 'note', 'summary So far'],
    branches: 1,
  },
  {
    what: 'Gemini CLI: thoughts, a tool and a notice',
    format: 'gemini-cli',
    file: {
      ...{ sessionId: 'g', projectHash: 'ff', startTime: '2026-01-06T00:00:00.000Z' },
      messages: [
        { id: '1', type: 'user', content: [{ text: 'hi' }] },
        {
          id: '2',
          type: 'gemini',
          content: 'hello',
          thoughts: [{ subject: 'Greet', description: 'say hi' }],
          toolCalls: [
            {
              id: 't',
              name: 'read_file',
              args: { path: 'a' },
              status: 'success',
              result: [{ functionResponse: { response: { output: 'A' } } }],
            },
          ],
        },
        { id: '3', type: 'info', content: 'Request cancelled.' },
      ],
    },
    says: ['user hi', 'assistant hello', 'result A', 'note'],
    branches: 1,
  },
  {
    what: 'Gemini CLI: a failed tool without a result, and the same id twice',
    format: 'gemini-cli',
    file: {
      ...{ sessionId: 'g', projectHash: 'ff' },
      messages: [
        { id: '1', type: 'user', content: 'go' },
        {
          id: '1',
          type: 'gemini',
          content: '',
          toolCalls: [{ id: 't', name: 'run', args: {}, status: 'error', resultDisplay: 'broke' }],
        },
        { id: '2', type: 'gemini', content: 'Sorry.' },
      ],
    },
    says: ['user go', 'call run', 'result broke', 'assistant Sorry.'],
    branches: 1,
  },
  {
    what: 'Gemini CLI: a message of nothing',
    format: 'gemini-cli',
    file: {
      sessionId: 'g',
      projectHash: 'ff',
      messages: [
        { id: '1', type: 'user', content: 'go' },
        { id: '2', type: 'gemini', content: '' },
      ],
    },
    says: ['user go'],
    branches: 1,
    skipped: ['empty message'],
  },
]
