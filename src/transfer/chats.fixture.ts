/** Files as other products write them, and what the log says then. */
import { chatgptConversation, type FormatCase } from './import.fixture.js'

const claude = (uuid: string, parent: string | undefined, sender: string, content: object[], more: object = {}) => ({
  ...{ uuid, sender, text: '', content, created_at: '2026-01-02T03:04:05Z' },
  ...(parent && { parent_message_uuid: parent }),
  ...more,
})
const text = (words: string) => ({ type: 'text', text: words })

export const chats: readonly FormatCase[] = [
  {
    what: 'ChatGPT: a branch, a tool and its answer, thoughts, a hidden system message',
    format: 'chatgpt',
    file: [
      chatgptConversation(
        'c',
        [
          { id: 's', parent: 'root', role: 'system', text: '' },
          { id: 'u', parent: 's', text: 'Price?' },
          {
            id: 't',
            parent: 'u',
            role: 'assistant',
            message: { content: { content_type: 'thoughts', thoughts: [{ summary: 'Sum', content: 'Multiply.' }] } },
          },
          {
            id: 'k',
            parent: 't',
            role: 'assistant',
            message: { recipient: 'python', content: { content_type: 'code', language: 'python', text: '3*4' } },
          },
          {
            id: 'o',
            parent: 'k',
            message: {
              author: { role: 'tool', name: 'python' },
              content: { content_type: 'execution_output', text: '12' },
            },
          },
          { id: 'a', parent: 'o', role: 'assistant', text: 'Twelve.' },
          { id: 'b', parent: 'u', role: 'assistant', text: 'No idea.' },
        ],
        { current_node: 'a' },
      ),
      { title: 'A folder' },
    ],
    says: ['user Price?', 'think', 'call python', 'result 12', 'assistant Twelve.', 'assistant No idea.'],
    branches: 2,
    head: 'Twelve.',
    skipped: ['a folder or another item without messages', 'empty system message'],
  },
  {
    what: 'ChatGPT: a canvas, two answers of one tool, custom instructions, no metadata anywhere',
    format: 'chatgpt',
    file: [
      chatgptConversation('c', [
        {
          id: 'p',
          parent: 'root',
          message: {
            content: { content_type: 'user_editable_context', user_profile: 'Ada', user_instructions: 'Short.' },
          },
        },
        { id: 'u', parent: 'p', text: 'Write it down' },
        {
          id: 'k',
          parent: 'u',
          role: 'assistant',
          message: {
            recipient: 'canmore.create_textdoc',
            content: { content_type: 'text', parts: ['{"name":"Plan","content":"One"}'] },
          },
        },
        {
          id: 'o',
          parent: 'k',
          message: { author: { role: 'tool', name: 'canmore' }, content: { content_type: 'text', parts: ['Created'] } },
        },
        {
          id: 'o2',
          parent: 'o',
          message: { author: { role: 'tool', name: 'canmore' }, content: { content_type: 'text', parts: ['Shown'] } },
        },
        { id: 'a', parent: 'o2', role: 'assistant', text: 'Done\ue200cite\ue202turn0\ue201.' },
      ]),
    ],
    says: [
      'note',
      'user Write it down',
      'call canmore.create_textdoc',
      'result Created',
      'call canmore',
      'result Shown',
      'assistant Done.',
    ],
    branches: 1,
  },
  {
    what: 'ChatGPT: a circle, a parent that is missing, a head that does not exist, a bad date',
    format: 'chatgpt',
    file: [
      chatgptConversation(
        'c',
        [
          { id: 'x', parent: 'y', text: 'In a circle' },
          { id: 'y', parent: 'x', role: 'assistant', text: 'Around' },
          { id: 'z', parent: 'nowhere', text: 'Alone', message: { create_time: 'yesterday' } },
        ],
        { current_node: 'gone' },
      ),
    ],
    says: ['assistant Around', 'user In a circle', 'user Alone'],
    branches: 2,
  },
  {
    what: 'Claude.ai: thinking, a tool without ids, attachments, two answers',
    format: 'claude-ai',
    file: [
      {
        uuid: 'c',
        name: 'Route',
        chat_messages: [
          claude('1', '00000000-0000-4000-8000-000000000000', 'human', [text('Name one')], {
            attachments: [{ file_name: 'n.txt', file_type: 'txt', extracted_content: 'hill' }],
            files: [{ file_name: 'm.png', file_uuid: 'f' }],
          }),
          claude('2', '1', 'assistant', [
            { type: 'thinking', thinking: 'Two words' },
            { type: 'tool_use', id: null, name: 'web_search', input: { q: 'lake' } },
            { type: 'tool_result', tool_use_id: null, name: 'web_search', content: [text('none')] },
            text('Lakeside'),
          ]),
          claude('3', '1', 'assistant', [text('Hilltop')]),
        ],
      },
    ],
    says: ['user Name one', 'assistant Lakeside', 'result none', 'assistant Hilltop'],
    branches: 2,
    title: 'Route',
  },
  {
    what: 'Claude.ai: no parents at all, words only in `text`, an empty message between',
    format: 'claude-ai',
    file: [
      {
        uuid: 'c',
        name: '',
        chat_messages: [
          claude('1', undefined, 'human', [], { text: 'Old' }),
          claude('2', undefined, 'assistant', []),
          claude('3', undefined, 'assistant', [text('New')]),
        ],
      },
    ],
    says: ['user Old', 'assistant New'],
    branches: 1,
    skipped: ['empty message'],
    title: 'Old',
  },
  {
    what: 'Claude.ai: a retry that the person chose is the head',
    format: 'claude-ai',
    file: [
      {
        uuid: 'c',
        current_leaf_message_uuid: '2',
        chat_messages: [
          claude('1', 'none', 'human', [text('Ask')]),
          claude('2', '1', 'assistant', [text('First')]),
          claude('3', '1', 'assistant', [text('Second')]),
        ],
      },
    ],
    says: ['user Ask', 'assistant First', 'assistant Second'],
    branches: 2,
    head: 'First',
  },
  {
    what: 'Gemini Takeout: newest first, two drafts of an answer, feedback',
    format: 'gemini-takeout',
    file: [
      {
        header: 'Gemini Apps',
        title: 'Prompted And at night?',
        time: '2026-01-05T10:02:00.000Z',
        safeHtmlItem: [{ html: '<p>Cooler.</p>' }],
      },
      { header: 'Gemini Apps', title: 'Gave feedback: Good response', time: '2026-01-05T10:01:00.000Z' },
      {
        header: 'Gemini Apps',
        title: 'Prompted How warm?',
        time: '2026-01-05T10:00:00.000Z',
        safeHtmlItem: [{ html: '<p>About <strong>-60C</strong>.</p>' }, { html: '<p>Cold &amp; dry.</p>' }],
      },
    ],
    says: [
      'user How warm?',
      'assistant About **-60C**.',
      'assistant Cold & dry.',
      'user And at night?',
      'assistant Cooler.',
    ],
    branches: 2,
    head: 'Cooler.',
    skipped: ['an activity that is no conversation'],
  },
  {
    what: 'Gemini Takeout: a prompt in another language, without an answer in English',
    format: 'gemini-takeout',
    file: [
      {
        header: 'Gemini Apps',
        title: 'Eingegebener Prompt: Warum?',
        time: '2026-01-05T10:02:00.000Z',
        safeHtmlItem: [{ html: '<ul><li>Darum</li></ul><script>alert(1)</script>' }],
      },
    ],
    says: ['user Eingegebener Prompt: Warum?', 'assistant - Darum'],
    branches: 1,
  },
  {
    what: 'Gemini Takeout: a picture that did not come along, and an activity without a time',
    format: 'gemini-takeout',
    file: [
      {
        header: 'Bard',
        title: 'Prompted What is this?',
        time: '2026-01-05T10:02:00Z',
        imageFile: 'mars.png',
        subtitles: [{ name: 'Attached 1 file.' }, { name: '-  mars.png', url: 'mars.png' }],
        safeHtmlItem: [],
      },
      { header: 'Bard', title: 'Prompted When?', time: 'soon' },
    ],
    says: ['user What is this?'],
    skipped: ['an activity that is no conversation'],
  },
  {
    what: 'AI Studio: a system prompt, a document, a thought',
    format: 'aistudio',
    file: {
      runSettings: { model: 'models/gemini-x' },
      systemInstruction: { text: 'Be brief.' },
      chunkedPrompt: {
        chunks: [
          { text: 'Define tide', role: 'user' },
          { driveDocument: { id: 'd' }, role: 'user' },
          { text: 'Hm', role: 'model', isThought: true },
          { text: 'Sea.', role: 'model' },
        ],
        pendingInputs: [],
      },
    },
    says: ['system Be brief.', 'user Define tide', 'assistant Sea.'],
    branches: 1,
  },
  {
    what: 'AI Studio: parts, code and an error',
    format: 'aistudio',
    file: {
      chunkedPrompt: {
        chunks: [
          { parts: [{ text: 'Run' }, { text: ' it' }], role: 'user' },
          { executableCode: { language: 'PYTHON', code: 'print(1)' }, role: 'model' },
          { codeExecutionResult: { outcome: 'OK', output: '1' }, role: 'model' },
          { errorMessage: 'stopped', role: 'model' },
        ],
      },
    },
    says: ['user Run it', 'assistant ```python\nprint(1)\n```\n```\n1\n```\nstopped'],
    branches: 1,
  },
  {
    what: 'AI Studio: nothing but a file',
    format: 'aistudio',
    file: {
      chunkedPrompt: {
        chunks: [
          { inlineFile: { mimeType: 'text/plain', data: 'aGk=' }, role: 'user' },
          { text: '', role: 'model' },
        ],
      },
    },
    says: ['user file'],
    branches: 1,
  },
]
