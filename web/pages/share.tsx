/** Links by which others may read a branch: made here, listed, taken back. */
import { useCallback, useEffect, useState } from 'react'
import type { Branch, Share as Shared } from '../../src/client/index.js'
import { api, memory, told } from '../api.js'
import { Copy } from '../copy.js'
import { Dialog } from '../dialog.js'
import { locale } from '../strings/number.js'
import { strings } from '../strings/pages.js'
import { NewLink } from './new-link.js'

interface Props {
  readonly conversation: string
  readonly branch: string
  close(): void
}

const dayOf = (at: string): string => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(Date.parse(at))

/** The service tells an address once; this browser remembers those it was told. */
const kept = (share: string): string | null => memory.get(`share.${share}`)

export function Share({ conversation, branch, close }: Props) {
  const [branches, setBranches] = useState<readonly Branch[]>([])
  const [shares, setShares] = useState<readonly Shared[] | null>(null)
  const [news, setNews] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)

  const load = useCallback(async () => {
    try {
      const [found, links] = await Promise.all([api.branches.list(conversation), api.shares.list(conversation)])
      setBranches(found.items)
      setShares(links.items.filter(({ expires_at }) => Date.parse(expires_at) > Date.now()))
    } catch (error) {
      setError(error)
    }
  }, [conversation])
  useEffect(() => void load(), [load])

  const revoke = async (share: string): Promise<void> => {
    try {
      await api.shares.revoke(conversation, share)
      memory.set(`share.${share}`, null)
      setNews(strings.revoked)
      await load()
    } catch (error) {
      setError(error)
    }
  }

  return (
    <Dialog label={strings.shareTitle} close={close}>
      <p className="dim">{strings.shareSays}</p>
      {error !== null && (
        <p className="problem" role="alert">
          {told(error)}
        </p>
      )}
      <NewLink
        conversation={conversation}
        branch={branch}
        branches={branches}
        made={async (share, url) => {
          memory.set(`share.${share}`, url)
          setNews(null)
          await load()
        }}
        failed={setError}
      />
      <p className="dim" role="status">
        {news}
      </p>
      <section className="links">
        <h3>{strings.links}</h3>
        {shares?.length === 0 && <p className="dim">{strings.noLinks}</p>}
        <ul>
          {shares?.map((share) => {
            const url = kept(share.id)
            return (
              <li key={share.id}>
                <span>
                  {strings.linkFacts(share.mode, share.branch, dayOf(share.expires_at))}
                  {url === null && <small className="dim"> ({strings.notKept})</small>}
                </span>
                {url !== null && <Copy text={url} />}
                <button type="button" className="quiet danger" onClick={() => void revoke(share.id)}>
                  {strings.revoke}
                </button>
              </li>
            )
          })}
        </ul>
      </section>
    </Dialog>
  )
}
