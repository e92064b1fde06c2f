/** The same question with another policy, model or budget: counted at once, sent to no one. */
import { useState } from 'react'
import type { WhatIf as Wish } from '../../src/client/index.js'
import { api, told } from '../api.js'
import type { Choices } from '../app.js'
import { words } from '../strings/inspector.js'
import { askAgain } from './ask-again.js'
import { Budget } from './budget.js'
import type { Comparison } from './compare.js'
import { useHypothesis } from './hypothesis.js'
import { List } from './list.js'
import { WindowMap } from './map.js'
import type { Seen } from './seen.js'

export function WhatIf({ seen, choices }: { readonly seen: Seen; readonly choices: Choices | null }) {
  const [wish, setWish] = useState<Wish>({})
  const [form, setForm] = useState<'map' | 'list'>('map')
  const { hypothesis, error, busy } = useHypothesis(seen, wish)
  const { receipt } = seen.kept
  const untouched = Object.keys(wish).length === 0
  return (
    <section className="what-if">
      <div className="wishes">
        <label className="field">
          <span>{words.policy}</span>
          <select
            value={wish.policy ?? receipt.policy.name}
            onChange={({ target }) =>
              setWish(without({ ...wish, policy: target.value }, 'policy', receipt.policy.name))
            }
          >
            {namesOf(
              choices?.policies.map(({ name }) => name),
              receipt.policy.name,
            ).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>{words.model}</span>
          <select
            value={wish.model ?? seen.run.model}
            onChange={({ target }) => setWish(without({ ...wish, model: target.value }, 'model', seen.run.model))}
          >
            {namesOf(
              choices?.system.models.flatMap(({ id, ready }) => (ready ? id : [])),
              seen.run.model,
            ).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <Budget
          receipt={hypothesis?.receipt ?? receipt}
          most={Math.max(
            receipt.model?.window ?? 0,
            ...(choices?.system.models.flatMap(({ window, ready }) => (ready ? window : [])) ?? []),
            8_000,
          )}
          budget={wish.budget ?? null}
          set={(budget) => setWish(budget === null ? withoutBudget(wish) : { ...wish, budget })}
        />
      </div>
      <div className="verdict" role="status" data-busy={busy}>
        {error !== null ? (
          <p className="problem">
            <b>{words.refusedTitle}</b> {told(error)}
          </p>
        ) : hypothesis ? (
          <Verdict comparison={hypothesis.comparison} />
        ) : (
          <p className="dim">{words.counting}</p>
        )}
        <p className="dim small">{words.nothingSent}</p>
      </div>
      <div className="row-of-buttons">
        <fieldset className="choice">
          <legend className="hidden">{words.form}</legend>
          {(['map', 'list'] as const).map((name) => (
            <button
              key={name}
              type="button"
              className="chip"
              aria-pressed={form === name}
              onClick={() => setForm(name)}
            >
              {name === 'map' ? words.asMap : words.asList}
            </button>
          ))}
        </fieldset>
        <button type="button" className="quiet" disabled={untouched} onClick={() => setWish({})}>
          {words.reset}
        </button>
        <Keep seen={seen} wish={wish} />
        <button
          type="button"
          className="primary"
          disabled={untouched || error !== null}
          onClick={() => void askAgain(seen, wish)}
        >
          {words.againWith}
        </button>
      </div>
      {hypothesis &&
        (form === 'map' ? (
          <WindowMap rows={hypothesis.rows} receipt={hypothesis.receipt} seen={seen} />
        ) : (
          <List rows={hypothesis.rows} seen={seen} was={hypothesis.comparison.was} />
        ))}
    </section>
  )
}

function Verdict({ comparison: { same, more, fewer, tokens } }: { readonly comparison: Comparison }) {
  if (same) return <p className="dim">{words.same}</p>
  const told = [more > 0 && words.more(more), fewer > 0 && words.fewer(fewer)].filter((text) => text !== false)
  return (
    <p>
      <b>{told.length === 0 ? words.sameCount : told.join(', ')}</b>, {words.otherTokens(tokens)}
    </p>
  )
}

/** What the next questions are asked with; a budget is for one question only. */
function Keep({ seen, wish }: { readonly seen: Seen; readonly wish: Wish }) {
  const [kept, setKept] = useState<Wish | null>(null)
  const { policy, model } = wish
  const keep = async (): Promise<void> => {
    await api.conversations.update(seen.conversation, {
      ...(policy === undefined ? null : { policy }),
      ...(model === undefined ? null : { model }),
    })
    setKept(wish)
  }
  if (kept === wish) return <span className="dim small">{words.kept}</span>
  return (
    <button
      type="button"
      className="quiet"
      disabled={policy === undefined && model === undefined}
      onClick={() => void keep()}
    >
      {words.useHere}
    </button>
  )
}

const namesOf = (names: readonly string[] | undefined, own: string): readonly string[] => [
  ...new Set([own, ...(names ?? [])]),
]

/** What is as it was is no wish. */
function without(wish: Wish, field: 'policy' | 'model', usual: string): Wish {
  if (wish[field] !== usual) return wish
  const { [field]: _, ...rest } = wish
  return rest
}

function withoutBudget({ budget: _, ...rest }: Wish): Wish {
  return rest
}
