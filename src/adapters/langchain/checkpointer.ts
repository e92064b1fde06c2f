/** LangGraph's checkpointer on a store. */
import { isDeepStrictEqual } from 'node:util'
import { coerceMessageLikeToMessage } from '@langchain/core/messages'
import type { RunnableConfig } from '@langchain/core/runnables'
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  copyCheckpoint,
  maxChannelVersion,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
} from '@langchain/langgraph-checkpoint'
import { openHistory } from '../../engine/history.js'
import { refusal } from '../../store/shared/refuse.js'
import { type Base, type DeskOptions, deskOf } from '../desk.js'
import {
  channelValues,
  type Filed,
  fileCheckpoint,
  findCheckpoint,
  listCheckpoints,
  removeThread,
  stateOf,
} from './checkpoints.js'
import { configOf, threadPlaceOf } from './thread.js'
import { dump, loadTyped } from './typed.js'
import { mirror } from './windowed.js'
import { addWrites, readWrites, writesOf } from './writes.js'

/** Where checkpoints are kept, and how. */
export interface CheckpointerOptions extends DeskOptions {
  /** How state is written down; LangGraph's own JSON when left out. */
  readonly serde?: SerializerProtocol
  /** A channel of messages, mostly `messages`: the log of the conversation with the thread's id mirrors it with each checkpoint. */
  readonly messages?: string
}

/** A checkpointer for LangGraph. @example graph.compile({ checkpointer: checkpointer({ store }) }) */
export const checkpointer = (options: CheckpointerOptions): BaseCheckpointSaver => new Saver(options)

/** A class, because LangGraph's contract is one. */
class Saver extends BaseCheckpointSaver {
  readonly #desk: Base
  readonly #messages: string | undefined
  /** Tasks of one step end at the same time, and their writes stand in one record. */
  readonly #line = newLine()

  constructor(options: CheckpointerOptions) {
    super(options.serde)
    this.#desk = deskOf(options)
    this.#messages = options.messages
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    if (config.configurable?.thread_id === undefined) return undefined
    const id: unknown = config.configurable.checkpoint_id
    const place = threadPlaceOf(config, 'read a checkpoint')
    const filed = await findCheckpoint(this.#desk, place, typeof id === 'string' && id !== '' ? id : undefined)
    return filed && this.#tuple(filed)
  }

  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { thread_id, checkpoint_ns, checkpoint_id } = config.configurable ?? {}
    const before: string | undefined = options.before?.configurable?.checkpoint_id
    let left = options.limit ?? Number.POSITIVE_INFINITY
    for (const filed of await listCheckpoints(this.#desk, thread_id)) {
      if (left <= 0) return
      if (checkpoint_ns !== undefined && filed.ns !== checkpoint_ns) continue
      if (checkpoint_id && filed.id !== checkpoint_id) continue
      if (before && filed.id >= before) continue
      if (options.filter && !fits(await loadTyped(this.serde, filed.metadata), options.filter)) continue
      const tuple = await this.#tuple(filed)
      if (!tuple) continue
      left--
      yield tuple
    }
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions?: ChannelVersions,
  ): Promise<RunnableConfig> {
    const place = threadPlaceOf(config, 'keep a checkpoint')
    const { channel_values, ...rest } = copyCheckpoint(checkpoint)
    const parent: string | null = config.configurable?.checkpoint_id ?? null
    const [bare, facts] = await Promise.all([
      dump(this.serde, { ...rest, channel_values: {} }),
      dump(this.serde, metadata),
    ])
    const values = await Promise.all(
      Object.entries(channel_values)
        .filter(([, value]) => value !== undefined)
        .map(async ([channel, value]) => {
          const isNew = newVersions === undefined || channel in newVersions
          return { channel, isNew, value: await dump(this.serde, value) }
        }),
    )
    await fileCheckpoint(this.#desk, { ...place, id: checkpoint.id, parent, metadata: facts }, bare, values)
    if (this.#messages !== undefined && place.ns === '')
      await this.#mirror(place.thread, channel_values[this.#messages])
    return configOf(place, checkpoint.id)
  }

  async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const place = threadPlaceOf(config, 'keep writes')
    const id: unknown = config.configurable?.checkpoint_id
    if (typeof id !== 'string')
      throw refusal('invalid', 'cannot keep writes without a "checkpoint_id" in "configurable"', {
        field: 'configurable.checkpoint_id',
      })
    const added = await writesOf(this.serde, taskId, writes)
    await this.#line(JSON.stringify([place, id]), () => addWrites(this.#desk, place, id, added))
  }

  async #mirror(conversation: string, said: unknown): Promise<void> {
    if (!Array.isArray(said)) return
    const messages = said.map((one) => coerceMessageLikeToMessage(one))
    await this.#line(conversation, async () => mirror(await openHistory({ ...this.#desk, conversation }), messages))
  }

  deleteThread(threadId: string): Promise<void> {
    return removeThread(this.#desk, threadId)
  }

  async #tuple(filed: Filed): Promise<CheckpointTuple | undefined> {
    const [state, pendingWrites] = await Promise.all([stateOf(this.#desk, filed), this.#writes(filed, filed.id)])
    // its thread was deleted in between
    if (!state) return undefined
    const checkpoint = (await loadTyped(this.serde, state.checkpoint)) as Checkpoint
    for (const [name, value] of await channelValues(this.#desk, filed, state.channels))
      checkpoint.channel_values[name] = await loadTyped(this.serde, value)
    if (checkpoint.v < 4 && filed.parent !== null) await this.#moveSends(checkpoint, filed, filed.parent)
    return {
      config: configOf(filed, filed.id),
      checkpoint,
      metadata: (await loadTyped(this.serde, filed.metadata)) as CheckpointMetadata,
      pendingWrites,
      ...(filed.parent === null ? null : { parentConfig: configOf(filed, filed.parent) }),
    }
  }

  async #writes(filed: Filed, id: string): Promise<CheckpointPendingWrite[]> {
    const writes = await readWrites(this.#desk, filed, id)
    return Promise.all(
      writes.map(async ({ task, channel, value }): Promise<CheckpointPendingWrite> => {
        return [task, channel, await loadTyped(this.serde, value)]
      }),
    )
  }

  /** Before format 4, what a step sent on stood among the writes of the checkpoint before. */
  async #moveSends(checkpoint: Checkpoint, filed: Filed, parent: string): Promise<void> {
    const sent = (await this.#writes(filed, parent)).filter(([, channel]) => channel === TASKS)
    const versions = Object.values(checkpoint.channel_versions)
    checkpoint.channel_values[TASKS] = sent.map(([, , value]) => value)
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined)
  }
}

const fits = (metadata: unknown, filter: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(filter).every(([name, value]) => isDeepStrictEqual((metadata as Record<string, unknown>)[name], value))

/** Work on the same thing, one after the other; on different things at once. */
function newLine(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const before = last.get(name)
    const mine = (async () => {
      await before?.catch(() => {})
      return work()
    })()
    last.set(name, mine)
    try {
      return await mine
    } finally {
      if (last.get(name) === mine) last.delete(name)
    }
  }
}
