/** What can be chosen from, asked again while the service is away. */
import { useCallback, useEffect, useState } from 'react'
import type { PolicyListing, System } from '../src/client/index.js'
import { api, isUnreachable } from './api.js'

export interface Choices {
  readonly system: System
  readonly policies: readonly PolicyListing[]
}

export function useChoices() {
  const [choices, setChoices] = useState<Choices | null>(null)
  const [error, setError] = useState<unknown>(null)
  const again = useCallback(async () => {
    try {
      const [system, { items }] = await Promise.all([api.system(), api.policies()])
      setChoices({ system, policies: items })
      setError(null)
    } catch (error) {
      setError(error)
    }
  }, [])
  useEffect(() => {
    const look = () => void again()
    look()
    addEventListener('offline', look)
    addEventListener('online', look)
    return () => {
      removeEventListener('offline', look)
      removeEventListener('online', look)
    }
  }, [again])
  useEffect(() => {
    if (!isUnreachable(error)) return
    const timer = setInterval(again, 4_000)
    return () => clearInterval(timer)
  }, [error, again])
  return { choices, error, again }
}
