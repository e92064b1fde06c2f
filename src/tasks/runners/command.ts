/** Agents that are programs: the prompt on stdin, what they print as a stream, a group of processes that ends as one. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Exit, Runner, RunnerJob, Running, TaskImage } from '../record/agent.js'
import { invalid } from '../record/refuse.js'
import { agentMark, endGroup, killStrays } from './group.js'
import { guard } from './guard.js'

/** A program that can work on a task, and how it is started. */
export interface Command {
  readonly command: string
  readonly args?: readonly string[]
  /** Arguments that name the model, where `{model}` stands for it. */
  readonly model?: readonly string[]
  /** Arguments that let it read the folder of pictures, where `{images}` stands for it. */
  readonly images?: readonly string[]
  /** Names of variables of this process that the agent gets beside the few that every program needs. */
  readonly env?: readonly string[]
  /** Variables that it gets where this process has none of that name; `{task}` stands for the task. */
  readonly set?: Readonly<Record<string, string>>
}

const always = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'SystemRoot']

/** How long what is still in the pipes may take once the program itself has ended. */
const drainMs = 250

type Child = ChildProcessByStdio<Writable, Readable, Readable>

export function commandRunner(command: Command, graceMs: number): Runner {
  return { start: (job) => start(command, job, graceMs) }
}

function start(command: Command, job: RunnerJob, graceMs: number): Running {
  const album = albumOf(job.images)
  const child = spawn(command.command, argumentsOf(command, job.model, album.folder), {
    cwd: job.folder ?? tmpdir(),
    env: environmentOf(command, job),
    // a group of its own, so that all of it can be ended
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  child.stdout.on('data', (bytes: Buffer) => job.write('out', bytes))
  child.stderr.on('data', (bytes: Buffer) => job.write('err', bytes))
  // a program need not read what it is told
  child.stdin.on('error', () => {})
  child.stdin.end(job.prompt + album.words)
  return { pid: child.pid ?? null, ended: watch(child, job, graceMs).finally(album.remove) }
}

async function watch(child: Child, job: RunnerJob, graceMs: number): Promise<Exit> {
  const { pid } = child
  const exited = exitOf(child)
  if (pid === undefined) return exited
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const release = guard(pid, job.agent)
  const stop = (): void => void endGroup(pid, graceMs)
  job.signal.addEventListener('abort', stop, { once: true })
  if (job.signal.aborted) stop()
  const exit = await exited
  await Promise.race([closed, pause(drainMs)])
  // what it left running in the background goes with it
  await endGroup(pid, graceMs)
  killStrays(job.agent)
  await Promise.race([closed, pause(drainMs)])
  child.stdout.destroy()
  child.stderr.destroy()
  job.signal.removeEventListener('abort', stop)
  release()
  return exit
}

function exitOf(child: Child): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, error: null, result: null }))
    child.once('error', ({ message }) => {
      const error = { code: 'not_started', message: `the command could not be started: ${message}` }
      if (child.pid === undefined) resolve({ code: null, signal: null, error, result: null })
    })
  })
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref())

function argumentsOf(command: Command, model: string | null, album: string | null): readonly string[] {
  const flags = album === null ? [] : (command.images ?? []).map((flag) => flag.replaceAll('{images}', album))
  return [...modelled(command, model), ...flags]
}

function modelled({ args = [], model: flags = [] }: Command, model: string | null): readonly string[] {
  if (model === null) return args
  if (!/^[\w@][\w./:@+-]{0,199}$/.test(model))
    throw invalid([{ code: 'task.model', field: 'model', value: model, message: 'model is no name of a model' }])
  return [...args, ...flags.map((flag) => flag.replaceAll('{model}', model))]
}

function environmentOf({ env = [], set = {} }: Command, { task, agent }: RunnerJob): NodeJS.ProcessEnv {
  const given = [...always, ...env].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  const usual = Object.entries(set).map(([name, value]) => [name, value.replaceAll('{task}', task)])
  return { ...Object.fromEntries([...usual, ...given]), THROUGHLINE_TASK: task, [agentMark]: agent }
}

// Pictures for an agent that is a program: files in a folder of their own, and words that say where they are.

interface Album {
  /** Null when no picture is a file. */
  readonly folder: string | null
  /** Goes behind the prompt. */
  readonly words: string
  remove(): void
}

function albumOf(images: readonly TaskImage[]): Album {
  const folder = images.some(({ source }) => source.kind === 'data')
    ? mkdtempSync(join(tmpdir(), 'throughline-images-'))
    : null
  const places = images.map(({ name, source }) => {
    if (source.kind === 'url') return `  ${name}: ${source.url}`
    const path = join(folder ?? '', name)
    writeFileSync(path, Buffer.from(source.base64, 'base64'), { mode: 0o600 })
    return `  ${name}: ${path}`
  })
  return {
    folder,
    words: places.length === 0 ? '' : `\nThe images that are named above:\n${places.join('\n')}\n`,
    remove: () => {
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
    },
  }
}
