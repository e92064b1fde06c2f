/** A tool by the name that a model calls it: `files__read_file` is `read_file` of the server `files`. */
export function toolOf(name: string): { readonly server: string | null; readonly tool: string } {
  const at = name.indexOf('__')
  return at > 0 ? { server: name.slice(0, at), tool: name.slice(at + 2) } : { server: null, tool: name }
}
