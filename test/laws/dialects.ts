/** The same conversation, written down as each dialect writes it. */

export interface Call {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

export interface Result {
  readonly id: string
  readonly name: string
  readonly output: string
  readonly failed: boolean
}

export interface Thought {
  readonly text: string
  readonly signature: string | null
  readonly id: string
}

export interface Picture {
  readonly kind: 'image' | 'code' | 'pdf'
  readonly text: string
}

export type Said =
  | { readonly kind: 'user'; readonly text: string; readonly files: readonly Picture[]; readonly id?: string }
  | { readonly kind: 'system'; readonly text: string }
  | {
      readonly kind: 'assistant'
      readonly text: string | null
      readonly thought: Thought | null
      readonly calls: readonly Call[]
      readonly model?: string
      readonly id?: string
    }
  | { readonly kind: 'results'; readonly results: readonly Result[] }

export const dialects = ['chat', 'responses', 'anthropic', 'ui', 'model', 'own', 'google', 'rows', 'plain'] as const
export type DialectName = (typeof dialects)[number]

type Raw = Record<string, unknown>
type Writer = (said: Said, turn: readonly Said[]) => readonly Raw[]

const pixel = 'iVBORw0KGgo='
const meta = (said: { readonly id?: string; readonly model?: string }): Raw => ({
  ...(said.id === undefined ? {} : { id: said.id }),
  ...(said.model === undefined ? {} : { model: said.model }),
})

const resultOf = (id: string, turn: readonly Said[]): Result | undefined =>
  turn.flatMap((said) => (said.kind === 'results' ? said.results : [])).find((result) => result.id === id)

const chat: Writer = (said) => {
  switch (said.kind) {
    case 'system':
      return [{ role: 'system', content: said.text }]
    case 'user':
      return [
        {
          role: 'user',
          content:
            said.files.length === 0
              ? said.text
              : [
                  { type: 'text', text: said.text },
                  ...said.files.map((file) =>
                    file.kind === 'image'
                      ? { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } }
                      : { type: 'text', text: file.text },
                  ),
                ],
          ...meta(said),
        },
      ]
    case 'assistant':
      return [
        {
          role: 'assistant',
          content: said.text,
          ...(said.thought && { reasoning_content: said.thought.text }),
          ...(said.calls.length > 0 && {
            tool_calls: said.calls.map(({ id, name, input }) => ({
              id,
              type: 'function',
              function: { name, arguments: JSON.stringify(input) },
            })),
          }),
          ...meta(said),
        },
      ]
    case 'results':
      return said.results.map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output }))
  }
}

const responses: Writer = (said) => {
  switch (said.kind) {
    case 'system':
      return [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: said.text }] }]
    case 'user':
      return [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: said.text },
            ...said.files.map((file) =>
              file.kind === 'pdf'
                ? { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${pixel}` }
                : { type: 'input_image', image_url: `data:image/png;base64,${pixel}` },
            ),
          ],
          ...meta(said),
        },
      ]
    case 'assistant':
      return [
        ...(said.thought
          ? [
              {
                type: 'reasoning',
                id: said.thought.id,
                summary: [{ type: 'summary_text', text: said.thought.text }],
                ...meta({ ...(said.model && { model: said.model }) }),
              },
            ]
          : []),
        ...(said.text === null
          ? []
          : [
              {
                type: 'message',
                role: 'assistant',
                content: [{ type: 'output_text', text: said.text }],
                ...meta(said),
              },
            ]),
        ...said.calls.map(({ id, name, input }) => ({
          type: 'function_call',
          call_id: id,
          name,
          arguments: JSON.stringify(input),
        })),
      ]
    case 'results':
      return said.results.map(({ id, output }) => ({ type: 'function_call_output', call_id: id, output }))
  }
}

const anthropic: Writer = (said) => {
  switch (said.kind) {
    case 'system':
      return [{ role: 'system', content: said.text }]
    case 'user':
      return [
        {
          role: 'user',
          content: [
            { type: 'text', text: said.text },
            ...said.files.map((file) =>
              file.kind === 'image'
                ? { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }
                : { type: 'document', source: { type: 'text', media_type: 'text/plain', data: file.text } },
            ),
          ],
          ...meta(said),
        },
      ]
    case 'assistant':
      return [
        {
          role: 'assistant',
          content: [
            ...(said.thought
              ? said.thought.signature === null
                ? [{ type: 'redacted_thinking', data: 'c2VhbGVk' }]
                : [{ type: 'thinking', thinking: said.thought.text, signature: said.thought.signature }]
              : []),
            ...(said.text === null ? [] : [{ type: 'text', text: said.text }]),
            ...said.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
          ],
          ...meta(said),
        },
      ]
    case 'results':
      return [
        {
          role: 'user',
          content: said.results.map(({ id, output, failed }) => ({
            type: 'tool_result',
            tool_use_id: id,
            content: output,
            ...(failed && { is_error: true }),
          })),
        },
      ]
  }
}

const ui: Writer = (said, turn) => {
  switch (said.kind) {
    case 'system':
      return [{ role: 'system', parts: [{ type: 'text', text: said.text }] }]
    case 'user':
      return [
        {
          role: 'user',
          parts: [
            { type: 'text', text: said.text },
            ...said.files.map((file) =>
              file.kind === 'image'
                ? { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${pixel}` }
                : { type: 'text', text: file.text },
            ),
          ],
          ...meta(said),
        },
      ]
    case 'assistant':
      return [
        {
          role: 'assistant',
          parts: [
            { type: 'step-start' },
            ...(said.thought ? [{ type: 'reasoning', text: said.thought.text, state: 'done' }] : []),
            ...(said.text === null ? [] : [{ type: 'text', text: said.text, state: 'streaming' }]),
            ...said.calls.map(({ id, name, input }) => {
              const result = resultOf(id, turn)
              return {
                type: `tool-${name}`,
                toolCallId: id,
                input,
                ...(result
                  ? result.failed
                    ? { state: 'output-error', errorText: result.output }
                    : { state: 'output-available', output: result.output }
                  : { state: 'input-streaming' }),
              }
            }),
          ],
          ...meta(said),
        },
      ]
    case 'results':
      return []
  }
}

const model: Writer = (said) => {
  switch (said.kind) {
    case 'assistant':
      return [
        {
          role: 'assistant',
          content: [
            ...(said.thought ? [{ type: 'reasoning', text: said.thought.text }] : []),
            ...(said.text === null ? [] : [{ type: 'text', text: said.text }]),
            ...said.calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input })),
          ],
          ...meta(said),
        },
      ]
    case 'results':
      return [
        {
          role: 'tool',
          content: said.results.map(({ id, name, output, failed }) => ({
            type: 'tool-result',
            toolCallId: id,
            toolName: name,
            output: { type: failed ? 'error-text' : 'text', value: output },
          })),
        },
      ]
    default:
      return chat(said, [])
  }
}

const own: Writer = (said, turn) => {
  switch (said.kind) {
    case 'system':
      return [{ role: 'system', parts: [{ type: 'text', text: said.text }] }]
    case 'user':
      return [
        {
          role: 'user',
          parts: [
            { type: 'text', text: said.text },
            ...said.files.map((file) => ({
              type: 'file',
              mediaType: 'text/x-python',
              language: 'python',
              source: { kind: 'text', text: file.text },
            })),
          ],
          ...meta(said),
        },
      ]
    case 'assistant':
      return [
        {
          role: 'assistant',
          parts: [
            ...(said.thought
              ? [
                  {
                    type: 'think',
                    text: said.thought.text,
                    ...(said.thought.signature === null ? {} : { signature: said.thought.signature }),
                  },
                ]
              : []),
            ...(said.text === null ? [] : [{ type: 'text', text: said.text }]),
            ...said.calls.map(({ id, name, input }) => {
              const result = resultOf(id, turn)
              return {
                type: 'call',
                id,
                name,
                input,
                outcome: result
                  ? { state: result.failed ? 'error' : 'ok', output: [{ type: 'text', text: result.output }] }
                  : { state: 'pending' },
              }
            }),
          ],
          ...meta(said),
        },
      ]
    case 'results':
      return []
  }
}

const google: Writer = (said) => {
  switch (said.kind) {
    case 'system':
      return [{ role: 'system', parts: [{ text: said.text }] }]
    case 'user':
      return [
        {
          role: 'user',
          parts: [
            { text: said.text },
            ...said.files.map(() => ({ inlineData: { mimeType: 'image/png', data: pixel } })),
          ],
        },
      ]
    case 'assistant':
      return [
        {
          role: 'model',
          parts: [
            ...(said.thought ? [{ text: said.thought.text, thought: true }] : []),
            ...(said.text === null ? [] : [{ text: said.text }]),
            ...said.calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
          ],
          ...meta(said),
        },
      ]
    case 'results':
      return [
        {
          role: 'user',
          parts: said.results.map(({ id, name, output }) => ({
            functionResponse: { id, name, response: { output } },
          })),
        },
      ]
  }
}

const rows: Writer = (said) => {
  switch (said.kind) {
    case 'assistant':
      return [
        ...(said.text === null ? [] : [{ role: 'assistant', content: said.text, ...meta(said) }]),
        ...said.calls.map(({ id, name, input }) => ({
          role: 'tool_use',
          tool_name: name,
          tool_use_id: id,
          tool_input: input,
        })),
      ]
    case 'results':
      return said.results.map(({ id, output }) => ({ role: 'tool_result', tool_use_id: id, content: output }))
    case 'user':
      return [{ role: 'user', content: said.text, ...meta(said) }]
    default:
      return chat(said, [])
  }
}

/** Strings only, as the specifications' hand-offs take them. */
const plain: Writer = (said) => {
  switch (said.kind) {
    case 'assistant':
      return said.text === null
        ? []
        : [{ role: said.calls.length > 0 ? 'orchestrator' : 'assistant', content: said.text, ...meta(said) }]
    case 'user':
      return [{ role: 'user', content: said.text, timestamp: '2026-01-02T03:04:05Z', ...meta(said) }]
    default:
      return []
  }
}

const writers: Readonly<Record<DialectName, Writer>> = {
  chat,
  responses,
  anthropic,
  ui,
  model,
  own,
  google,
  rows,
  plain,
}

/** The raw messages of a turn. */
export const write = (turn: readonly Said[], dialect: DialectName): readonly unknown[] =>
  turn.flatMap((said) => writers[dialect](said, turn))
