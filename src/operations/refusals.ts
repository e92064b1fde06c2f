/** Every way an operation can end badly, once: the status HTTP answers with, what it means, and what to do next. */
import { HistoryError } from '../core/message/issue.js'

export const refusals = {
  invalid_request: [
    400,
    'The request does not have the expected shape',
    'correct the field that is named and try again',
  ],
  forbidden: [403, 'The key may not do this', 'ask the operator for a key with this scope'],
  not_found: [404, 'Not found', 'check the id: it may be misspelled, deleted, or in another workspace'],
  head_moved: [409, 'The branch has moved on', 'read the branch again and retry from its new head'],
  id_conflict: [409, 'The id is already taken by something else', 'choose another id'],
  already_answered: [409, 'The tool call already has a result', 'read the conversation again'],
  busy: [409, 'The conversation is already being answered', 'wait for the run to end, or stop it'],
  fenced: [409, 'Another server has taken over', 'read the conversation again'],
  record_moved: [409, 'It was changed in the meantime', 'read it again and retry with the new revision'],
  illegal_move: [409, 'Its state does not allow this', 'look at its state first'],
  gone: [410, 'It was deleted', 'nothing: deleting is final'],
  events_expired: [410, 'These events are no longer kept', 'read the conversation and follow from now'],
  too_large: [413, 'It is larger than allowed', 'send less, or send it in parts'],
  invalid: [422, 'It cannot be done as asked', 'correct the field that is named and try again'],
  key_reused: [422, 'The idempotency key belongs to another request', 'choose another key'],
  unknown_parent: [422, 'The message it should follow does not exist', 'read the branch again'],
  unknown_call: [422, 'The result answers no tool call', 'check the id of the call'],
  policy_invalid: [422, 'The policy cannot be used', 'correct the field that is named'],
  unknown_model: [422, 'No such model', 'list the models and choose one of them'],
  refused: [422, 'No window can be made of this', 'allow a larger budget, or a shorter message'],
  too_many_runs: [429, 'Too many runs at once', 'wait for one to end'],
  internal: [500, 'Something went wrong on our side', 'the server log says more'],
  tool_server_failed: [502, 'The tool server cannot be used', 'check that it runs and speaks MCP'],
  model_failed: [502, 'The model did not answer', 'try again, or choose another model'],
  unavailable: [503, 'The storage cannot be reached', 'try again in a moment'],
  storage_full: [507, 'The storage is full', 'free some space'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string, next: string]>>

export type RefusalCode = keyof typeof refusals

/** A field of the input is wrong in a way its schema cannot say. */
export const invalidInput = (field: string, message: string): HistoryError =>
  new HistoryError('invalid_request', [{ code: 'invalid_request', field, message }])

export const notFound = (field: string, value?: string): HistoryError =>
  new HistoryError('not_found', [
    {
      code: 'not_found',
      field,
      message: `there is no such ${field.replace(/_id$/, '').replace('_', ' ')}`,
      ...(value !== undefined && { value }),
    },
  ])

export const unknownModel = (message: string): HistoryError =>
  new HistoryError('unknown_model', [{ code: 'unknown_model', field: 'model', message }])

export const needsScope = (scope: string): HistoryError =>
  new HistoryError('forbidden', [{ code: 'forbidden', message: `this needs the scope ${scope}` }])
