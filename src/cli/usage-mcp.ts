export const mcpUsage = `throughline mcp: conversations, tasks and agents for any client that speaks MCP, on stdio

  claude mcp add throughline -- npx -y throughline mcp
  throughline mcp --db ./team.db --workspace team-a

Stdin and stdout are the protocol; words for people go to stderr. It ends when the client leaves,
or on SIGTERM or SIGINT, and its agents end with it; those of throughline serve go on.
  --db FILE|postgres://…  where the data is (also THROUGHLINE_DB, DATABASE_URL)
  --workspace NAME        default unless said otherwise
  --model ID              for agents of the runner model, and for summaries
  --config FILE           settings as JSON: "agents" adds programs, "agent_roots" confines them
  --conformance           instead, the server that the public conformance suite asks for, over HTTP (--port N)

Over HTTP: throughline serve answers at /mcp, with the workspace of the key.`
