// Passes MCP on between stdin and a server, and writes down each call before the server gets it: node counting-server.mjs LOG SERVER ARGS...
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [log, server, ...args] = process.argv.slice(2)
const child = spawn(process.execPath, [server, ...args], { stdio: ['pipe', 'inherit', 'ignore'] })
child.on('exit', (code) => process.exit(code ?? 1))
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { method, params } = JSON.parse(line)
    if (method === 'tools/call') appendFileSync(log, `${JSON.stringify(params.arguments)}\n`)
    child.stdin.write(`${line}\n`)
  })
  .on('close', () => child.kill())
