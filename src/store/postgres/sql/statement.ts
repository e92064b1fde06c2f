/** Statements are prepared once per connection. $1 is the workspace and $2, nearly everywhere, the conversation. */
export interface Statement {
  readonly name: string
  readonly text: string
}

export const sql = (name: string, text: string): Statement => ({ name: `throughline_${name}`, text })
