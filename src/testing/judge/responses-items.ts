import { type Fields, rows, type Scope, string } from './scope.js'

/** An item without a type is a message. */
export const typeOf = (item: Fields): string => string(item.type) || ('role' in item ? 'message' : '')
export const itemsIn = ({ body }: Scope): readonly Fields[] => rows(body.input)
/** Whether the server already holds what came before the input. */
export const isContinued = ({ body }: Scope): boolean =>
  Boolean(body.previous_response_id) || Boolean(body.conversation)
