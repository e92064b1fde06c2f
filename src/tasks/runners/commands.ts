/**
 * Agents that many have installed, as of November 2026. Each reads its prompt from stdin; what it may do beyond that
 * is for its own settings to say.
 */
import type { Command } from './command.js'

/** The coding agents that are known by name, for `deploy({ runner: 'claude' })`. */
export const commands: Readonly<Record<string, Command>> = {
  claude: {
    command: 'claude',
    args: ['-p'],
    model: ['--model', '{model}'],
    images: ['--add-dir', '{images}'],
    env: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL'],
  },
  codex: {
    command: 'codex',
    args: ['exec', '--skip-git-repo-check', '-'],
    model: ['--model', '{model}'],
    env: ['OPENAI_API_KEY'],
  },
  gemini: {
    command: 'gemini',
    // who deployed it in a folder trusts the folder; without this it ends at once
    args: ['--skip-trust'],
    model: ['--model', '{model}'],
    images: ['--include-directories', '{images}'],
    env: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL'],
  },
  qwen: { command: 'qwen', model: ['--model', '{model}'], env: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'] },
  opencode: {
    command: 'opencode',
    args: ['run'],
    model: ['--model', '{model}'],
    env: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'],
  },
  pi: {
    command: 'pi',
    args: ['-p'],
    model: ['--model', '{model}'],
    env: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'],
  },
  goose: { command: 'goose', args: ['run', '-i', '-'], env: ['GOOSE_PROVIDER', 'GOOSE_MODEL'] },
  aider: {
    command: 'aider',
    args: ['--message-file', '/dev/stdin'],
    model: ['--model', '{model}'],
    env: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'],
  },
}
