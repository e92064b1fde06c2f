/** Lines as any reader may see them. */

/** Everything that some language or terminal takes for the end of a line. */
const terminator = '\\r\\n|[\\n\\r\\v\\f\\x1c-\\x1e\\u0085\\u2028\\u2029]'

export const lineEnds = new RegExp(terminator, 'g')
const indented = new RegExp(`(${terminator}) {4}`, 'g')

export const margin = '    '

/** Every line behind a margin, empty ones too. */
export const indent = (value: string): string => margin + value.replace(lineEnds, `$&${margin}`)

export const unindent = (value: string): string => value.slice(margin.length).replace(indented, '$1')

/** A character that ends a line. */
export const lineEnd = /[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]/
