import { nested } from './claude.js'
import { type Fields, fields, isFields, type JudgeRule, rows, type Scope, string } from './scope.js'

/** Every block that may be marked, in the order in which the cache reads them. */
const marked = (scope: Scope): readonly { readonly path: string; readonly block: Fields; readonly ttl: string }[] =>
  [
    ...rows(scope.body.tools).map((block, at) => ({ path: `tools.${at}`, block })),
    ...rows(scope.body.system).map((block, at) => ({ path: `system.${at}`, block })),
    ...nested(scope),
  ]
    .filter(({ block }) => isFields(block.cache_control))
    .map(({ path, block }) => ({ path, block, ttl: string(fields(block.cache_control).ttl) || '5m' }))

export const caching: readonly JudgeRule[] = [
  {
    id: 'C-01',
    *find(scope) {
      const { length } = marked(scope)
      if (length > 4) yield ['', `A maximum of 4 blocks with cache_control may be provided. Found ${length}.`]
    },
  },
  {
    id: 'C-02',
    *find(scope) {
      let short = false
      for (const { path, ttl } of marked(scope)) {
        const at = `${path}.cache_control.ttl`
        if (ttl !== '5m' && ttl !== '1h') yield [at, `${at}: Input should be '5m' or '1h'`]
        if (ttl === '1h' && short) {
          const said = "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block."
          yield [
            at,
            `${at}: ${said} Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`,
          ]
        }
        short ||= ttl === '5m'
      }
    },
  },
  {
    id: 'C-03',
    *find(scope) {
      for (const { path, block } of marked(scope)) {
        const type = string(block.type)
        if (type.includes('thinking')) {
          yield [path, `${path}.${type}.cache_control: Extra inputs are not permitted`]
        }
        if (type === 'text' && block.text === '')
          yield [path, `${path}.text: cache_control cannot be set for empty text blocks`]
      }
    },
  },
]
