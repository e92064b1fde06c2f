/** The field for a key or an address: what it is, whether it works, and why not, all in one place. */
import { type RefObject, useId, useState } from 'react'
import type { NewConnection } from '../../src/client/index.js'
import { Icon } from '../icons.js'
import { connectWords as words } from '../strings/connect.js'
import type { Connecting } from './use-connections.js'

interface Props {
  readonly connecting: Connecting
  readonly field: RefObject<HTMLInputElement | null>
}

const isAddress = (text: string): boolean => /^https?:|^[\w.-]+:\d/i.test(text.trim())

export function Paste({ connecting, field }: Props) {
  const { test, list } = connecting
  const [pasted, setPasted] = useState('')
  const [provider, setProvider] = useState('')
  const [key, setKey] = useState('')
  const says = useId()
  const address = isAddress(pasted)
  const refused = test.type === 'refused'
  const request = (text: string): NewConnection => ({
    pasted: text.trim(),
    ...(provider !== '' && !isAddress(text) && { provider }),
    ...(key !== '' && isAddress(text) && { key }),
  })
  const tryOut = (text = pasted): void => {
    if (text.trim() !== '') void connecting.tryOut(request(text))
  }
  return (
    <form
      className="paste"
      data-state={test.type}
      onSubmit={(event) => {
        event.preventDefault()
        tryOut()
      }}
    >
      <div className="paste-field">
        <Icon name="key" />
        <input
          ref={field}
          type={address ? 'text' : 'password'}
          value={pasted}
          placeholder={words.placeholder}
          aria-label={words.field}
          aria-invalid={refused}
          aria-describedby={says}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => {
            setPasted(target.value)
            connecting.forget()
          }}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text')
            if (pasted !== '' && field.current?.selectionEnd !== pasted.length) return
            event.preventDefault()
            setPasted(text.trim())
            tryOut(text)
          }}
        />
        {test.type === 'works' && pasted !== '' && (
          <span className="badge seen-badge">{words.recognised(test.tested.label, !address)}</span>
        )}
        <button type="submit" className="button" disabled={pasted.trim() === '' || test.type === 'testing'}>
          {test.type === 'testing' ? words.testing : test.type === 'none' ? words.test : words.testAgain}
        </button>
      </div>
      <div className="paste-says" id={says}>
        <span role={refused ? 'alert' : 'status'} className={refused ? 'refused' : 'works'}>
          {refused && test.why}
          {test.type === 'works' && (
            <>
              <Icon name="check" /> {words.works}{' '}
              <span className="dim">
                {test.tested.models.length === 0
                  ? words.offersNone
                  : words.answered(test.tested.milliseconds, test.tested.models.length)}
              </span>
            </>
          )}
        </span>
        <span className="dim kept">
          <Icon name="lock" /> {words.kept}
        </span>
      </div>
      {refused && !address && pasted !== '' && list && (
        <label className="paste-more">
          <span>{words.whose}</span>
          <select value={provider} onChange={(event) => setProvider(event.target.value)}>
            <option value="">{words.choose}</option>
            {list.providers.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
      {refused && address && (
        <label className="paste-more">
          <span>{words.serverKey}</span>
          <input type="password" value={key} autoComplete="off" onChange={({ target }) => setKey(target.value)} />
        </label>
      )}
    </form>
  )
}
