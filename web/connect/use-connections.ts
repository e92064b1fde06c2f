/** What is connected, and what is being connected. */
import { useCallback, useEffect, useState } from 'react'
import type { ConnectionList, NewConnection, OfferedModel, TestedConnection } from '../../src/client/index.js'
import { api, told } from '../api.js'
import { connectWords } from '../strings/connect.js'

/** Models to pick from, and what has to be connected before one of them is used. */
export interface Picking {
  readonly label: string
  readonly models: readonly OfferedModel[]
  readonly best: string | null
  readonly first: NewConnection | null
}

export type Test =
  | { readonly type: 'none' }
  | { readonly type: 'testing' }
  | { readonly type: 'works'; readonly tested: TestedConnection }
  | { readonly type: 'refused'; readonly why: string }

export function useConnections() {
  const [list, setList] = useState<ConnectionList | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [test, setTest] = useState<Test>({ type: 'none' })
  const [picking, setPicking] = useState<Picking | null>(null)

  const look = useCallback(async () => {
    try {
      const found = await api.connections.list()
      setList(found.available ? found : null)
      setProblem(found.available ? null : connectWords.givenModels)
    } catch (error) {
      setProblem(told(error))
    }
  }, [])
  useEffect(() => void look(), [look])

  const offer = (tested: TestedConnection, first: NewConnection | null): void =>
    setPicking({ label: tested.label, models: tested.models, best: tested.best, first })

  const attempt = async (work: () => Promise<TestedConnection>, first: NewConnection | null): Promise<void> => {
    setTest({ type: 'testing' })
    setPicking(null)
    try {
      const tested = await work()
      setTest({ type: 'works', tested })
      offer(tested, first)
    } catch (error) {
      setTest({ type: 'refused', why: told(error) })
    }
  }

  return {
    list,
    problem,
    test,
    picking,
    look,
    /** Another text is in the field. */
    forget: () => {
      setTest({ type: 'none' })
      setPicking(null)
    },
    tryOut: (request: NewConnection) => attempt(() => api.connections.test(request), request),
    choose: (id: string) => attempt(() => api.connections.models(id), null),
    chooseLocal: (id: string, label: string, names: readonly string[]): void => {
      const models = names.map((name): OfferedModel => ({ ...bare, id: `${id}/${name}`, label: name }))
      setTest({ type: 'none' })
      setPicking({ label, models, best: models[0]?.id ?? null, first: null })
    },
    use: async (model: string): Promise<void> => {
      if (picking?.first) await api.connections.add(picking.first)
      await api.connections.use(model)
    },
    remove: async (id: string): Promise<void> => {
      await api.connections.remove(id)
      await look()
    },
    fail: (error: unknown) => setTest({ type: 'refused', why: told(error) }),
  }
}

export type Connecting = ReturnType<typeof useConnections>

const bare = { window: null, price: null, tools: null, images: null } as const
