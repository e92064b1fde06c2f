/** The servers that tools come from, and one that is being added. */
import { useCallback, useEffect, useState } from 'react'
import type { NewToolServer, OfferedTools, ToolApproval, ToolServer } from '../../src/client/index.js'
import { api, told } from '../api.js'

export type Trial =
  | { readonly type: 'none' }
  | { readonly type: 'testing' | 'adding' }
  | { readonly type: 'works'; readonly offered: OfferedTools }
  | { readonly type: 'refused'; readonly why: string }

export function useServers() {
  const [list, setList] = useState<readonly ToolServer[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [trial, setTrial] = useState<Trial>({ type: 'none' })

  const look = useCallback(async () => {
    try {
      setList((await api.toolServers.list()).items)
      setProblem(null)
    } catch (error) {
      setProblem(told(error))
    }
  }, [])
  useEffect(() => void look(), [look])

  const tried = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      setTrial({ type: 'refused', why: told(error) })
      return null
    }
  }

  return {
    list,
    problem,
    trial,
    forget: () => setTrial({ type: 'none' }),
    fail: (error: unknown) => setProblem(told(error)),
    async test(server: NewToolServer): Promise<void> {
      setTrial({ type: 'testing' })
      const offered = await tried(() => api.toolServers.test(server))
      if (offered) setTrial({ type: 'works', offered })
    },
    async add(server: NewToolServer): Promise<boolean> {
      setTrial({ type: 'adding' })
      const added = await tried(() => api.toolServers.add(server))
      if (!added) return false
      setTrial({ type: 'none' })
      await look()
      return true
    },
    async allow(server: string, change: { approval?: ToolApproval; tools?: Record<string, ToolApproval> }) {
      await api.toolServers.allow(server, change)
      await look()
    },
    async remove(server: string): Promise<void> {
      await api.toolServers.remove(server)
      await look()
    },
  }
}

export type Servers = ReturnType<typeof useServers>
