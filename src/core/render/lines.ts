/** Lines as any reader may see them. */

/** Everything that some language or terminal takes for the end of a line. */
export const lineEnds = /\r\n|[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]/g

export const margin = '    '

/** Every line behind a margin, empty ones too. */
export const indent = (value: string): string => margin + value.replace(lineEnds, `$&${margin}`)

/** A character that ends a line. */
export const lineEnd = /[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]/
