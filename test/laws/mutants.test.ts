/** Each law is shown to say no: to a result that was changed, or to a library that is broken in one place. */
import { describe, expect, test } from 'vitest'
import { assemble, type Input, type Options, type PresetName, presets, type Target } from '../../src/index.js'
import { accounted } from './law/account.js'
import { capped, typedRefusal, withinBudget, withinLimits } from './law/budget.js'
import { paired } from './law/calls.js'
import { cleanCuts, wellFormedStrings } from './law/cuts.js'
import { honestMarkers } from './law/gaps.js'
import { legal } from './law/legal.js'
import { minimal, monotone } from './law/more.js'
import { newestUser } from './law/newest.js'
import { inOrder, noDuplicates, noPrivilege } from './law/order.js'
import { heeded, pinned } from './law/pins.js'
import { extended } from './law/prefix.js'
import type { Law } from './law/read.js'
import { aliases, idempotent, sameBytes, trueHash } from './law/same.js'
import { currentTag, type Good, isGood, type Trial } from './trial.js'

// biome-ignore lint/suspicious/noExplicitAny: a mutant is changed in ways that no type would allow
type Loose = any

const turn = (n: number): unknown[] => [
  { role: 'user', content: `⟦u${n}.0⟧ question ${n} ${'about the build '.repeat(8)}`, id: `u-${n}` },
  {
    role: 'assistant',
    content: `⟦a${n}.0⟧ looking`,
    tool_calls: [0, 1].map((k) => ({
      id: `call_${n}_0_${k}`,
      type: 'function',
      function: { name: 'read_file', arguments: `{"q":"⟦c${n}.0.${k}⟧"}` },
    })),
  },
  { role: 'tool', tool_call_id: `call_${n}_0_0`, content: `⟦r${n}.0.0⟧ found` },
  { role: 'tool', tool_call_id: `call_${n}_0_1`, content: `⟦r${n}.0.1⟧ nothing` },
  { role: 'assistant', content: `⟦a${n}.9⟧ answer ${n} ${'it passes '.repeat(8)}` },
]

const long = (n: number): unknown[] => [
  { role: 'user', content: `⟦u${n}.0⟧${'👩‍👩‍👧‍👦'.repeat(800)}` },
  { role: 'assistant', content: `⟦a${n}.9⟧${'e\u0301'.repeat(400)}` },
]

interface Scene {
  readonly preset?: PresetName
  readonly target?: Target
  readonly options?: Options
  readonly messages?: readonly unknown[]
  readonly heed?: Pick<Input, 'marks' | 'summary' | 'recall'>
}

const quoting: Scene['heed'] = {
  recall: {
    items: [1, 2].map((n) => ({
      id: `u-${n}`,
      role: 'user',
      text: `⟦u${n}.0⟧ question ${n}`,
      score: 1,
      reason: 'asked',
    })),
  },
}
const summed: Scene['heed'] = { summary: { id: 's', text: 'They spoke of the build.', until: 'u-9' } }

const current = `${currentTag} and now?`

function scene({ preset = 'balanced', target = 'openai-chat', options = {}, messages, heed }: Scene = {}): Good {
  const input = {
    messages: messages ?? Array.from({ length: 12 }, (_, n) => turn(n)).flat(),
    current,
    ...heed,
  }
  const all: Options = { target, budget: 2_000, ...options }
  const trial: Trial = {
    input,
    preset,
    policy: presets[preset],
    target,
    options: all,
    sound: true,
    result: assemble(input, preset, all),
  }
  if (!isGood(trial)) throw new Error('no window')
  return trial
}

function mutant(good: Good, change: (result: Loose, input: Loose) => void): Good {
  const copy = structuredClone({ result: good.result, input: good.input })
  change(copy.result, copy.input)
  return { ...good, ...copy }
}

const crossed: Scene = { preset: 'handoff-balanced', messages: [...long(0), ...long(1)], options: { budget: 100_000 } }

const proofs: readonly (readonly [string, Law, Scene, (result: Loose, input: Loose) => void])[] = [
  [
    'a request that grew',
    withinBudget,
    {},
    (r) => {
      r.rendered.messages[0].content += ' more'.repeat(3_000)
    },
  ],
  [
    'an overflow in silence',
    withinBudget,
    {},
    (r) => {
      r.receipt.budget.excess = 9
    },
  ],
  [
    'one message too many',
    withinLimits,
    { preset: 'stateless-query', options: { budget: 90_000 } },
    (r) => {
      while (r.items.length < 30) r.items.unshift(r.items[0])
    },
  ],
  [
    'a current message cut by a letter',
    newestUser,
    {},
    (r) => {
      r.items.at(-1).text = r.items.at(-1).text.slice(1)
    },
  ],
  [
    'a current message that was not sent',
    newestUser,
    {},
    (r) => {
      r.rendered.messages.pop()
    },
  ],
  [
    'two messages that changed places',
    inOrder,
    {},
    (r) => {
      r.rendered.messages.splice(1, 0, r.rendered.messages.splice(-2, 1)[0])
    },
  ],
  [
    'a message from nowhere',
    inOrder,
    {},
    (r) => {
      r.rendered.messages[0].content += '⟦u777.0⟧'
    },
  ],
  [
    'items in another order',
    inOrder,
    {},
    (r) => {
      r.items.reverse()
    },
  ],
  [
    'a result that is missing',
    paired,
    {},
    (r) => {
      r.rendered.messages.splice(
        r.rendered.messages.findIndex((m: Loose) => m.role === 'tool'),
        1,
      )
    },
  ],
  [
    'a call that is missing',
    paired,
    {},
    (r) => {
      r.rendered.messages.find((m: Loose) => m.tool_calls).tool_calls.pop()
    },
  ],
  [
    'results that were exchanged',
    paired,
    {},
    (r) => {
      const [a, b] = r.rendered.messages.filter((m: Loose) => m.role === 'tool')
      ;[a.content, b.content] = [b.content, a.content]
    },
  ],
  [
    'two calls of one id',
    paired,
    {},
    (r) => {
      const { tool_calls } = r.rendered.messages.find((m: Loose) => m.tool_calls)
      tool_calls[1].id = tool_calls[0].id
    },
  ],
  [
    'a response of another function',
    paired,
    { target: 'google' },
    (r) => {
      r.rendered.contents.flatMap((c: Loose) => c.parts).find((p: Loose) => p.functionResponse).functionResponse.name =
        'other'
    },
  ],
  [
    'half a surrogate pair',
    wellFormedStrings,
    {},
    (r) => {
      r.rendered.messages[0].content += '\ud83d'
    },
  ],
  [
    'a torn key',
    wellFormedStrings,
    {},
    (r) => {
      r.rendered['\udc00'] = 1
    },
  ],
  [
    'a cut through a family',
    cleanCuts,
    crossed,
    (r) => {
      const item = r.items.find((i: Loose) => i.clipped)
      const at = item.text.indexOf(' [… ')
      item.text = item.text.slice(0, at - 2) + item.text.slice(at).replace(/\d+/, (n: string) => String(Number(n) + 1))
    },
  ],
  [
    'a cut with a wrong figure',
    cleanCuts,
    crossed,
    (r) => {
      const item = r.items.find((i: Loose) => i.clipped)
      item.text = item.text.replace(/\d+ characters/, '7 characters')
    },
  ],
  [
    'a cut without a mark',
    cleanCuts,
    crossed,
    (r) => {
      const item = r.items.find((i: Loose) => i.clipped)
      item.text = item.text.slice(0, 40)
    },
  ],
  [
    'a blank message',
    legal,
    {},
    (r) => {
      r.rendered.messages[0].content = ' '
    },
  ],
  [
    'a request of cues',
    legal,
    {},
    (r) => {
      r.rendered.messages = [{ role: 'user', content: 'Continue.' }]
    },
  ],
  [
    'a line that is missing',
    accounted,
    {},
    (r) => {
      r.receipt.lines.shift()
    },
  ],
  [
    'a line that overlaps',
    accounted,
    {},
    (r) => {
      r.receipt.lines[0].to++
    },
  ],
  [
    'a total that is off by one',
    accounted,
    {},
    (r) => {
      r.receipt.totals.dropped--
    },
  ],
  [
    'tokens that do not add up',
    accounted,
    {},
    (r) => {
      r.receipt.lines.at(-1).tokens[0]++
    },
  ],
  [
    'tokens kept that are in no item',
    accounted,
    {},
    (r) => {
      const line = r.receipt.lines.at(-1)
      line.tokens[1]--
      line.restore++
    },
  ],
  [
    'an item told as dropped',
    accounted,
    {},
    (r) => {
      r.items.find((i: Loose) => i.index > 0).fate = 'folded'
    },
  ],
  [
    'a dropped message on the wire',
    accounted,
    {},
    (r) => {
      const gone = r.receipt.lines.find((l: Loose) => l.fate === 'dropped')
      r.rendered.messages[0].content += `⟦u${Math.ceil(gone.from / 5)}.0⟧`
    },
  ],
  [
    'a kept message that was not sent',
    accounted,
    {},
    (r) => {
      r.rendered.messages.splice(-2, 1)
    },
  ],
  [
    'a marker that was removed',
    honestMarkers,
    {},
    (r) => {
      r.items = r.items.filter((i: Loose) => i.fate !== 'marker')
    },
  ],
  [
    'a marker that was not sent',
    honestMarkers,
    {},
    (r) => {
      r.rendered.messages = r.rendered.messages.filter((m: Loose) => !/earlier messages/.test(m.content))
    },
  ],
  [
    'a marker in the mouth of the user',
    honestMarkers,
    {},
    (r) => {
      r.rendered.messages.push({ role: 'user', content: r.items.find((i: Loose) => i.fate === 'marker').text })
    },
  ],
  [
    'a marker that counts wrong',
    honestMarkers,
    {},
    (r) => {
      const item = r.items.find((i: Loose) => i.fate === 'marker')
      item.text = item.text.replace(/\d+/, '1')
    },
  ],
  [
    'a marker where nothing is missing',
    honestMarkers,
    { options: { budget: 90_000 } },
    (r) => {
      r.items.splice(3, 0, { ...r.items[0], index: null, fate: 'marker', text: r.items[0].text })
    },
  ],
  [
    'an excluded message that is there',
    heeded,
    {},
    (_, input) => {
      input.marks = { excluded: ['u-11'] }
    },
  ],
  [
    'a pinned message that is missing in silence',
    heeded,
    {},
    (_, input) => {
      input.marks = { pinned: ['u-1'] }
    },
  ],
  [
    'an excluded message far back that a limit is blamed for',
    heeded,
    { heed: { marks: { excluded: ['u-1'] } } },
    (r) => {
      r.receipt.lines = r.receipt.lines.map((line: Loose) =>
        line.rule === 'mark.excluded' ? { ...line, stage: 'fit', rule: 'over_tokens' } : line,
      )
    },
  ],
  [
    'a quotation that begins another one',
    heeded,
    { heed: quoting },
    (r) => {
      const item = r.items.find((i: Loose) => i.mark === 'recall')
      item.text = item.text.replace(': ⟦u1', ': so\n1 user: ⟦u1')
    },
  ],
  [
    'a quotation in a higher voice',
    heeded,
    { heed: quoting },
    (r) => {
      r.items.find((i: Loose) => i.mark === 'recall').role = 'system'
    },
  ],
  [
    'a quotation behind the message to answer',
    heeded,
    { heed: quoting },
    (r) => {
      r.items.push(...r.items.splice(-2, 1))
    },
  ],
  [
    'a quotation that the receipt does not tell of',
    heeded,
    { heed: quoting },
    (r) => {
      delete r.receipt.recall
    },
  ],
  [
    'a summary and messages that it covers, both sent',
    accounted,
    { heed: summed },
    (r) => {
      r.items.splice(2, 0, { ...r.items.at(-2), index: 3, tokens: 0 })
    },
  ],
  [
    'a summary that speaks for messages no one counts',
    accounted,
    { heed: summed },
    (r) => {
      r.receipt.totals.summarised--
    },
  ],
  [
    'a prefix that was removed',
    honestMarkers,
    {
      preset: 'handoff-assistant-first',
      target: 'messages',
      messages: Array.from({ length: 40 }, (_, n) => ({
        role: n % 2 ? 'assistant' : 'user',
        content: n % 2 ? 'long '.repeat(300) : 'short',
      })),
      options: {},
    },
    (r) => {
      const first = r.items.find((i: Loose) => i.index !== null)
      first.text = first.text.slice(40)
    },
  ],
  [
    'an opener that was left out',
    pinned,
    {},
    (r) => {
      r.items.shift()
    },
  ],
  [
    'an opener that was not sent',
    pinned,
    {},
    (r) => {
      r.rendered.messages.shift()
    },
  ],
  [
    'a message that is there twice',
    noDuplicates,
    {},
    (r) => {
      r.items.splice(1, 0, r.items[0])
    },
  ],
  [
    'a current message that is sent twice',
    noDuplicates,
    {},
    (r) => {
      r.rendered.messages.push(r.rendered.messages.at(-1))
    },
  ],
  [
    'a message that is sent twice',
    noDuplicates,
    {},
    (r) => {
      r.rendered.messages.unshift(r.rendered.messages[0])
    },
  ],
  [
    "a user's words in the system channel",
    noPrivilege,
    {},
    (r) => {
      r.rendered.messages[0].role = 'system'
    },
  ],
  [
    "an assistant's words as the user's",
    noPrivilege,
    {},
    (r) => {
      r.rendered.messages.find((m: Loose) => m.role === 'assistant' && m.content?.includes('⟦a')).role = 'user'
    },
  ],
  [
    "a tool's words as the user's",
    noPrivilege,
    {},
    (r) => {
      r.rendered.messages.find((m: Loose) => m.role === 'tool').role = 'user'
    },
  ],
  [
    'a text over its cap by one',
    capped,
    crossed,
    (r) => {
      const item = r.items.find((i: Loose) => i.role === 'assistant')
      item.text = 'x'.repeat(501)
    },
  ],
  [
    'a hash of something else',
    trueHash,
    {},
    (r) => {
      r.rendered.messages[0].content += '!'
    },
  ],
]

describe('the checker', () => {
  test.each(proofs)('catches %s', (_, law, where, change) => {
    const good = scene(where)
    expect(law(good)).toEqual([])
    expect(law(mutant(good, change)).length).toBeGreaterThan(0)
  })

  test('of refusals catches one without a code, and takes a typed one', () => {
    expect(typedRefusal({ code: 'fit.budget', field: 'budget', message: 'no room' })).toEqual([])
    expect(typedRefusal({ code: 'oops' as 'refused', field: 'budget', message: 'no room' })).toHaveLength(1)
  })

  test('of idempotence catches a window that changes when it is built again', () => {
    const good = scene({ options: { budget: 90_000 } })
    expect(idempotent(good, good)).toEqual([])
    expect(
      idempotent(
        good,
        mutant(good, (r) => {
          r.items[0].text += '!'
        }),
      ),
    ).toHaveLength(1)
    expect(
      idempotent(
        good,
        mutant(good, (r) => {
          r.items.pop()
        }),
      ),
    ).toHaveLength(1)
  })

  test('of determinism catches other bytes, another hash and another outcome', () => {
    const good = scene()
    expect(sameBytes(good, scene())).toEqual([])
    expect(
      sameBytes(
        good,
        mutant(good, (r) => {
          r.rendered.messages[0].content += ' '
        }),
      ),
    ).toContain('other bytes')
    expect(
      sameBytes(
        good,
        mutant(good, (r) => {
          r.receipt.wire.hash = '0'
        }),
      ),
    ).toContain('another hash')
    const refused: Trial = { ...good, result: { ok: false, error: { code: 'fit.budget', message: '' }, warnings: [] } }
    expect(sameBytes(good, refused)).toHaveLength(1)
  })

  test('of sharing catches an object of the input in the output', () => {
    const inner = { role: 'user', content: 'x' }
    expect(aliases({ messages: [inner] }, { items: [{ ...inner }] })).toEqual([])
    expect(aliases({ messages: [inner] }, { items: [inner] })).toHaveLength(1)
  })

  test('of monotony catches a bigger budget that keeps less, cuts more or is refused', () => {
    const [small, big] = [scene({ options: { budget: 1_500 } }), scene({ options: { budget: 3_000 } })]
    expect(monotone(small, big)).toEqual([])
    expect(monotone(big, small).length).toBeGreaterThan(0)
    expect(
      monotone(
        small,
        mutant(big, (r) => {
          for (const item of r.items) item.text = item.text.slice(0, 5)
        }),
      ).length,
    ).toBeGreaterThan(0)
    expect(
      monotone(small, { ...big, result: { ok: false, error: { code: 'fit.budget', message: '' }, warnings: [] } }),
    ).toHaveLength(1)
    const kept = small.result.items.find(({ index }) => index !== null && index > 0)
    const without = (rule: string, fate: string): Good =>
      mutant(big, (r) => {
        r.items = r.items.filter((item: Loose) => item.index !== kept?.index)
        r.receipt.lines = [{ from: 0, to: 99, fate, stage: 'fit', rule, tokens: null, chars: null, restore: null }]
        r.rendered.messages = []
      })
    // no summary, no repetition and no other words stand for it
    for (const rule of ['over_tokens', 'duplicate', 'fold.inline'])
      expect(monotone(small, without(rule, 'dropped')).length, rule).toBeGreaterThan(0)
  })

  test('of pairs catches a lost result of a message that nobody excluded', () => {
    const good = scene({ options: { budget: 90_000 }, heed: { marks: { excluded: ['u-3'] } } })
    expect(paired(good)).toEqual([])
    const lost = mutant(good, (r) => {
      r.rendered.messages.find((m: Loose) => m.tool_call_id === 'call_2_0_0').content = 'nothing'
    })
    expect(paired(lost)).toEqual(['the result of call 2.0.0 is lost'])
  })

  test('of minimality catches an omission when everything fits', () => {
    const [cut, whole] = [scene(), scene({ options: { budget: 90_000 } })]
    expect(minimal(cut, whole)).toEqual([])
    expect(
      minimal(
        mutant(cut, (r) => {
          r.receipt.budget.tokens = 90_000
        }),
        whole,
      ),
    ).toHaveLength(1)
    expect(
      minimal(
        mutant(cut, (r) => {
          r.receipt.budget.limit = null
        }),
        whole,
      ),
    ).toHaveLength(1)
    // what mend could not send in the whole window is no excuse for more than it weighs
    const mended = mutant(whole, (r) => {
      r.receipt.lines.push({ ...r.receipt.lines[0], stage: 'mend', fate: 'dropped', tokens: [9, 0] })
    })
    const tight = mutant(cut, (r) => {
      r.receipt.budget.tokens = whole.result.receipt.budget.used + 9
    })
    expect(minimal(tight, mended)).toHaveLength(1)
  })

  test('of stable prefixes catches an edit at the front', () => {
    for (const target of ['openai-chat', 'anthropic', 'text-tagged', 'text-numbered'] as const) {
      const build = (n: number, first = 'hello'): unknown => {
        const messages = [{ role: 'user', content: first }, ...Array.from({ length: n }, (_, i) => turn(i)).flat()]
        const result = assemble({ messages }, 'balanced', { target })
        return result.ok ? result.rendered : null
      }
      expect(extended(build(2), build(3))).toEqual([])
      expect(extended(build(2), build(3, 'hallo'))).toHaveLength(1)
    }
  })
})
