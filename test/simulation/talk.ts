/** Those who talk: they ask, tell, stop, listen and look, at whichever server they find, and ask again when nobody answers. */
import { HistoryError } from '../../src/core/message/issue.js'
import { openHistory } from '../../src/engine/history.js'
import type { Run } from '../../src/runs/contract.js'
import { Broken, type Known, type Place, type Said, type watchLaws } from './laws.js'
import { conversations, type Desk, pause, type Server, type World, workspaces } from './world.js'

export function openTalk(world: World, laws: ReturnType<typeof watchLaws>): Desk {
  const { base, chance, env, failures, go, open, passing, pick, roll, servers, time, within } = world

  /** Nothing fails any more, and nobody recovers anything: what waits begins although the server is gone where it got in line. */
  const afterwards = async (): Promise<void> => {
    const place = { workspace: pick(workspaces), conversation: pick(conversations), whenBusy: 'queue' } as const
    const [one, other] = [open(), open()]
    const say = (key: string) => ({ ...place, key, message: `${place.workspace}-${place.conversation}-${key}` })
    let [waits, first, stopped]: (Run | null)[] = [null, null, null]
    const happens = async (): Promise<void> => {
      const { run, ended } = await one.runs.start(say('first'))
      waits = (await other.runs.start(say('second'))).run
      other.alive = false
      first = await ended
      stopped = await one.runs.stop(place.workspace, place.conversation, run.id)
    }
    void happens().catch((error: unknown) => failures.push(error))
    await time.pass(20_000)
    if (failures.length > 0) throw failures[0]
    const left = waits as Run | null
    const over = left && (await base.getRecord(place.workspace, 'run', left.id))
    if (left?.state === 'queued' && !over) throw new Broken(`run ${left.id} waits for nobody`)
    if (JSON.stringify(stopped) !== JSON.stringify(first)) throw new Broken('a run that is over was stopped again')
  }

  /** As an honest client: the same request with the same key, until someone answers. */
  const ask = async (said: Said, whenBusy: 'queue' | 'refuse'): Promise<void> => {
    const { workspace, conversation, text, key } = said
    const send = (server: Server) => {
      laws.sending(said)
      const message = text === null ? null : { message: text }
      return within(server.runs.start({ workspace, conversation, ...message, key, whenBusy })).catch(
        (error: unknown) => {
          if (!HistoryError.is(error)) throw error
          // there may be nothing to answer yet
          if (!(text === null && error.code === 'invalid')) laws.refused(said, error)
          return null
        },
      )
    }
    for (let attempt = 0; attempt < 3; attempt++) {
      const sent = chance(20) ? [pick(servers()), pick(servers())] : [pick(servers())]
      const answers = await Promise.all(sent.map(send))
      for (const started of answers) {
        if (!started) continue
        const heard = started.ended.then(
          (run) => laws.ended(said, run),
          () => {},
        )
        void heard.catch((error: unknown) => failures.push(error))
        laws.started(said, started.run)
      }
      if (answers.some((one) => one !== null)) return
    }
  }

  const tell = async (said: Said): Promise<void> => {
    const { workspace, conversation, text, key } = said
    for (let attempt = 0; attempt < 3; attempt++) {
      const { store } = pick(servers())
      const write = async () => {
        const history = await openHistory({ store, workspace, conversation, env, recaller: null })
        return history.append({ role: 'user', content: text }, { key })
      }
      if ((await within(write()).catch(passing)) === null) continue
      laws.acknowledged(said)
      return
    }
  }

  /** A reader that takes its time, and goes on at another server when its own falls silent; misses nothing, gets nothing twice. */
  const listen = async ({ workspace, conversation }: Place, slowness: number): Promise<void> => {
    let last = 0
    for (let attempt = 0; attempt < 3; attempt++) {
      const control = new AbortController()
      const hear = async (): Promise<void> => {
        for await (const { number } of pick(servers()).runs.follow(workspace, conversation, last, control.signal)) {
          if (number !== last + 1)
            throw new Broken(`a reader of ${workspace}/${conversation} got ${number} after ${last}`)
          last = number
          await pause(slowness)
        }
      }
      await Promise.race([hear(), pause(1_500)]).catch(passing)
      control.abort()
    }
  }

  /** What is over stays over, whoever is asked. */
  const look = async (server: Server, { workspace, conversation, id }: Known): Promise<void> => {
    const run = await within(server.runs.get(workspace, conversation, id)).catch(passing)
    if (run && ['active', 'queued'].includes(run.state)) throw new Broken(`run ${id} is over and was told ${run.state}`)
  }

  const quietly = (work: Promise<unknown>): Promise<void> =>
    within(work).then(
      () => undefined,
      () => undefined,
    )

  return {
    act(n, place) {
      const said: Said = { ...place, text: `${place.workspace}-${place.conversation}-${n}`, key: `k${n}` }
      const what = roll(80)
      if (what < 40) go(ask(chance(15) ? { ...said, text: null } : said, chance(70) ? 'queue' : 'refuse'))
      else if (what < 45) go(listen(place, roll(200)))
      else if (what < 65) go(tell(said))
      else {
        const run = laws.anyRun(roll)
        const server = pick(servers())
        if (!run) return
        if (what < 75) go(quietly(server.runs.stop(run.workspace, run.conversation, run.id)))
        else if (laws.isOver(run.id)) go(look(server, run))
      }
    },
    look: laws.look,
    recover: (server) => server.runs.recover(workspaces),
    isBusy: laws.isBusy,
    async atRest() {
      const runs = await laws.atRest()
      await afterwards()
      return runs
    },
  }
}
