/** Files as other products write them, and what the log says then. */
import { type FormatCase, lines } from './import.fixture.js'

const text = (words: string) => ({ type: 'text', text: words })

export const others: readonly FormatCase[] = [
  {
    what: 'LibreChat: a tree with a tool and two answers',
    format: 'librechat',
    file: {
      ...{ conversationId: 'l', title: 'Soup', recursive: true, branches: true },
      messagesTree: [
        {
          ...{
            messageId: '1',
            parentMessageId: '00000000-0000-0000-0000-000000000000',
            isCreatedByUser: true,
            text: 'Soup?',
          },
          children: [
            {
              messageId: '2',
              parentMessageId: '1',
              isCreatedByUser: false,
              content: [
                { type: 'think', think: 'warm' },
                { type: 'tool_call', tool_call: { id: 't', name: 'search', args: '{"q":"soup"}', output: 'leek' } },
                text('Leek'),
              ],
              children: [],
            },
            { messageId: '3', parentMessageId: '1', isCreatedByUser: false, text: 'Tomato', children: [] },
          ],
        },
      ],
    },
    says: ['user Soup?', 'assistant Leek', 'result leek', 'assistant Tomato'],
    branches: 2,
    title: 'Soup',
  },
  {
    what: 'LibreChat: a flat list with parents',
    format: 'librechat',
    file: {
      conversationId: 'l',
      branches: true,
      messages: [
        { messageId: '1', parentMessageId: null, isCreatedByUser: true, text: 'A' },
        { messageId: '2', parentMessageId: '1', text: 'B' },
        { messageId: '3', parentMessageId: '1', text: 'C' },
      ],
    },
    says: ['user A', 'assistant B', 'assistant C'],
    branches: 2,
  },
  {
    what: 'LibreChat: only the visible path, without parents',
    format: 'librechat',
    file: {
      conversationId: 'l',
      branches: false,
      messages: [
        { messageId: '1', isCreatedByUser: true, text: 'A' },
        { messageId: '2', content: [{ type: 'text', text: { value: 'B' } }] },
      ],
    },
    says: ['user A', 'assistant B'],
    branches: 1,
  },
  {
    what: 'Open WebUI: reasoning in the text, two answers, tags',
    format: 'openwebui',
    file: [
      {
        ...{ id: 'o', title: 'Trip', pinned: true, meta: { tags: ['travel'] }, created_at: 1_767_700_000 },
        chat: {
          history: {
            currentId: '2',
            messages: {
              1: { id: '1', parentId: null, role: 'user', content: 'Where?' },
              2: {
                id: '2',
                parentId: '1',
                role: 'assistant',
                content:
                  '<details type="reasoning" done="true"><summary>Thought</summary>\n> sea\n</details>\nTo the sea.',
              },
              3: { id: '3', parentId: '1', role: 'assistant', content: 'To the hills.' },
            },
          },
        },
      },
    ],
    says: ['user Where?', 'assistant To the sea.', 'assistant To the hills.'],
    branches: 2,
    head: 'To the sea.',
  },
  {
    what: 'Open WebUI: a bare chat, a tool in the text, a picture',
    format: 'openwebui',
    file: [
      {
        id: 'o',
        history: {
          currentId: '2',
          messages: {
            1: {
              id: '1',
              parentId: null,
              role: 'user',
              content: [text('See'), { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }],
            },
            2: {
              id: '2',
              parentId: '1',
              role: 'assistant',
              content:
                '<details type="tool_calls" id="k" name="look" arguments="{&quot;a&quot;:1}" result="&quot;seen&quot;"><summary>x</summary></details>Seen.',
            },
          },
        },
      },
    ],
    says: ['user See', 'assistant Seen.', 'result "seen"'],
    branches: 1,
  },
  {
    what: 'Open WebUI: output items',
    format: 'openwebui',
    file: [
      {
        id: 'o',
        chat: {
          history: {
            currentId: '2',
            messages: {
              1: { id: '1', parentId: null, role: 'user', content: 'Go' },
              2: {
                id: '2',
                parentId: '1',
                role: 'assistant',
                content: 'x',
                output: [
                  { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
                  { type: 'function_call', name: 'f', arguments: '{}', call_id: 'k' },
                  { type: 'function_call_output', call_id: 'k', output: 'r' },
                  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Went.' }] },
                ],
              },
            },
          },
        },
      },
    ],
    says: ['user Go', 'assistant Went.', 'result r'],
    branches: 1,
  },
  {
    what: 'fine-tuning: a tool loop',
    format: 'openai-ft',
    file: lines({
      messages: [
        { role: 'system', content: 'Terse.' },
        { role: 'user', content: '2+2?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'k', type: 'function', function: { name: 'calc', arguments: '{"e":"2+2"}' } }],
        },
        { role: 'tool', tool_call_id: 'k', content: '4' },
        { role: 'assistant', content: '4', weight: 1 },
      ],
      tools: [{ type: 'function' }],
    }),
    says: ['system Terse.', 'user 2+2?', 'call calc', 'result 4', 'assistant 4'],
    branches: 1,
    title: '2+2?',
  },
  {
    what: 'fine-tuning: a preferred and another answer',
    format: 'openai-ft',
    file: lines({
      input: { messages: [{ role: 'user', content: 'Hi' }] },
      preferred_output: [{ role: 'assistant', content: 'Hello!' }],
      non_preferred_output: [{ role: 'assistant', content: 'What.' }],
    }),
    says: ['user Hi', 'assistant Hello!', 'assistant What.'],
    branches: 2,
    head: 'Hello!',
  },
  {
    what: 'fine-tuning: a line that is something else',
    format: 'openai-ft',
    file: lines({ messages: [{ role: 'user', content: 'Hi' }] }, { messages: 'none' }),
    says: ['user Hi'],
    branches: 1,
    skipped: ['a line without messages'],
  },
  {
    what: 'ShareGPT: a function and its observation',
    format: 'sharegpt',
    file: [
      {
        id: 's',
        conversations: [
          { from: 'system', value: 'Kind.' },
          { from: 'human', value: 'Hi' },
          { from: 'function_call', value: '{"name":"t","arguments":{}}' },
          { from: 'observation', value: 'ok' },
          { from: 'gpt', value: 'Hello' },
        ],
        tools: '[]',
      },
    ],
    says: ['system Kind.', 'user Hi', 'call t', 'result ok', 'assistant Hello'],
    branches: 1,
  },
  {
    what: 'ShareGPT: chosen and rejected, a system field, an observation alone',
    format: 'sharegpt',
    file: [
      {
        system: 'Kind.',
        conversations: [
          { from: 'observation', value: 'late' },
          { from: 'human', value: 'Hi' },
        ],
        chosen: { from: 'gpt', value: 'Good' },
        rejected: { from: 'gpt', value: 'Bad' },
      },
    ],
    says: ['system Kind.', 'call tool', 'result late', 'user Hi', 'assistant Good', 'assistant Bad'],
    branches: 2,
    head: 'Good',
  },
  {
    what: 'ShareGPT: a call that is no JSON, a speaker nobody knows',
    format: 'sharegpt',
    file: lines({
      conversations: [
        { from: 'narrator', value: 'Once' },
        { from: 'function_call', value: 'run()' },
        { from: 'gpt', value: '' },
      ],
    }),
    says: ['user Once', 'call tool'],
    branches: 1,
    skipped: ['empty message'],
  },
  {
    what: 'Markdown: ours',
    format: 'markdown',
    file: '# Tea\n\n## User\n\nWhich?\n\n## Assistant\n\nOolong.\n\n```\n## User\n```\n',
    says: ['user Which?', 'assistant Oolong.\n\n```\n## User\n```'],
    branches: 1,
    title: 'Tea',
  },
  {
    what: 'Markdown: names in bold',
    format: 'markdown',
    file: '**You:** Hello\n\n**ChatGPT:** Hi\nthere\n',
    says: ['user Hello', 'assistant Hi\nthere'],
    branches: 1,
  },
  {
    what: 'Markdown: names at the beginning of lines, a tool and a summary',
    format: 'markdown',
    file: 'User: Run it\nAssistant: Done\n\n## Tool\n\nout\n\n## Summary\n\nAll of it\n',
    says: ['user Run it', 'assistant Done', 'call tool', 'result out', 'summary All of it'],
    branches: 1,
  },
]
