// What the sources may grow to. `npm run check` fails above these figures; they go up only with a feature that a person asked for, and
// the changelog says which: import and export, the agent with tools, connected models and the checks of what is stored added
// 8,500 lines; Citus, the public suites' servers, WebSockets, more commands and TSDoc on every export another 900; what recall keeps in
// rows of bytes in three stores, deletions in short transactions and tasks that end once another 1,000.

/** Lines of src/ without tests, fixtures and src/testing. */
export const mostLines = 80_400

/** Percent of the exported names that more than one file makes. */
export const mostRepeatedNames = 5
