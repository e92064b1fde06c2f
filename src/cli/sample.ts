/** A long, tool-heavy conversation to look at: one bug, from the ticket to the release. */
import type { Target } from '../core/message/target.js'
import type { Request } from './kit/request.js'
import { ciLog, fileOutput, grepOutput, houseRules, orders, testOutput } from './sample-texts.js'

/** Name, arguments and output of a tool call. */
type Call = readonly [name: string, args: Readonly<Record<string, unknown>>, output: string]

/** A user's message, the calls that follow, those of one list in parallel, and the answer. */
interface Turn {
  readonly user: string
  readonly steps: readonly (readonly Call[])[]
  readonly answer: string
}

/** A request without a budget; the caller decides how much fits. Tools are in the form that the target takes. */
export function sample(target: Target): Request {
  const messages: unknown[] = []
  let calls = 0
  for (const { user, steps, answer } of turns) {
    messages.push({ role: 'user', content: user })
    for (const step of steps) {
      const ids = step.map(() => `call_${++calls}`)
      messages.push({
        role: 'assistant',
        content: null,
        tool_calls: step.map(([name, args], i) => ({
          id: ids[i],
          type: 'function',
          function: { name, arguments: JSON.stringify(args) },
        })),
      })
      for (const [i, [, , output]] of step.entries())
        messages.push({ role: 'tool', tool_call_id: ids[i], content: output })
    }
    messages.push({ role: 'assistant', content: answer })
  }
  return {
    messages,
    current: 'Good. Write the changelog entry, and name the exact rounding rule and the ticket.',
    system: 'You are a careful engineer in the checkout team. Use the tools, quote paths and numbers exactly.',
    tools: toolsFor(target),
  }
}

const tools = [
  { name: 'grep', description: 'Searches the repository.', fields: ['pattern', 'path'] },
  { name: 'read_file', description: 'Reads a file, or some of its lines.', fields: ['path', 'lines'] },
  { name: 'edit_file', description: 'Replaces a text in a file.', fields: ['path', 'find', 'replace'] },
  { name: 'run_tests', description: 'Runs the tests that match.', fields: ['filter'] },
  { name: 'shell', description: 'Runs a command.', fields: ['command'] },
] as const

function toolsFor(target: Target): unknown[] {
  const declared = tools.map(({ name, description, fields }) => ({
    name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
      required: [fields[0]],
    },
  }))
  if (target === 'google') return [{ functionDeclarations: declared }]
  if (target === 'openai-responses') return declared.map((tool) => ({ type: 'function', ...tool }))
  if (target === 'anthropic') return declared.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters }))
  return declared.map((tool) => ({ type: 'function', function: tool }))
}

const grep = (pattern: string, path: string, count: number): Call => [
  'grep',
  { pattern, path },
  grepOutput(pattern, count),
]
const read = (path: string, lines: number): Call => ['read_file', { path }, fileOutput(path, lines)]
const edit = (path: string, find: string, replace: string): Call => [
  'edit_file',
  { path, find, replace },
  `ok: 1 replacement in ${path}`,
]
const test = (filter: string, passed: number, ...failures: readonly string[]): Call => [
  'run_tests',
  { filter },
  testOutput(passed, failures),
]
const shell = (line: string, output: string): Call => ['shell', { command: line }, output]

const turns: readonly Turn[] = [
  {
    user: 'Order totals in the checkout service are sometimes one cent off (ticket SHOP-4812). The code is in /srv/shop/checkout. Keep the public API of Cart as it is and never touch the migrations.',
    steps: [[grep('Math.round', 'src', 46), read('src/cart/cart.ts', 130)]],
    answer:
      'Amounts are rounded in nine places, among them src/cart/cart.ts:57 and src/discount/apply.ts:31. A total that is rounded twice can lose a cent.',
  },
  {
    user: "The customer's case: 3 x 4.35 with 10 % off gave 11.74 EUR, they expect 11.75 EUR. It is order 10233.",
    steps: [
      [
        shell('node scripts/price.mjs --order 10233', 'subtotal 13.05\ndiscount 1.305 -> 1.31\ntotal 11.74'),
        read('src/discount/apply.ts', 90),
      ],
    ],
    answer:
      'Reproduced. The discount of 1.305 is rounded up to 1.31 before it is taken off, so 13.05 - 1.31 = 11.74. Rounded once at the end it is 11.745, which half-even gives as 11.74 and half-up as 11.75.',
  },
  {
    user: `Finance sent the orders of February that are off:\n\n${orders(90)}`,
    steps: [
      [shell('node scripts/price.mjs --replay february.csv', 'replayed 90 orders: 90 are one cent low, 0 are right')],
    ],
    answer: 'All 90 are one cent low and all 90 have the 10 % coupon WINTER26. Orders without a coupon are right.',
  },
  {
    user: `These are the house rules on money. Which of them does the discount break?\n\n${houseRules(100)}`,
    steps: [[grep('docs/money', 'src', 24)]],
    answer: `Three: 14, 31 and 58. In my own words, so that we can come back to them:\n\n${houseRules(24)}`,
  },
  {
    user: 'Then we need half-up, and once. Does anything rely on half-even?',
    steps: [[grep('halfEven', 'src', 28), grep('roundHalf', 'test', 22)]],
    answer: 'Only src/tax/vat.ts:112, because the tax office of Switzerland asks for steps of 0.05. That stays.',
  },
  {
    user: 'Run the whole suite before you change anything, so that we know what was red already.',
    steps: [[test('', 84, 'test/refund.test.ts > refund splits over two payments (timeout 5000 ms)')]],
    answer: 'Before any change: 84 passed, 1 failed. The refund timeout is old, see SHOP-4377; it is not ours.',
  },
  {
    user: 'Go ahead with the fix.',
    steps: [
      [edit('src/discount/apply.ts', 'round(price * rate)', 'price * rate')],
      [edit('src/cart/cart.ts', 'return sum', "return round(sum, 'half-up')"), read('src/cart/cart.ts', 70)],
      [test('cart', 22)],
    ],
    answer: 'The discount is no longer rounded; Cart.total() rounds once, half-up. All 22 cart tests pass.',
  },
  {
    user: 'Add a test with the numbers of order 10233, and one with three coupons at once.',
    steps: [[edit('test/cart.test.ts', '// cases', "['order 10233', 3, 4.35, 0.1, 11.75],"), test('cart', 24)]],
    answer: 'Both stand in test/cart.test.ts:210, and all 24 cart tests pass.',
  },
  {
    user: 'Do refunds take the same way?',
    steps: [[read('src/refund/refund.ts', 110)]],
    answer: 'Yes: src/refund/refund.ts:64 asks Cart.total(), so a refund is right once the total is.',
  },
  {
    user: `CI is red on the branch. The whole log:\n\n${ciLog(210)}`,
    steps: [[grep('toFixed', 'src/invoice', 20), read('src/invoice/format.ts', 96)]],
    answer:
      'The invoice formats by itself: src/invoice/format.ts:88 calls toFixed(2) on the unrounded sum, and 11.745 is stored as 11.744999999999999. It has to print what Cart.total() returns.',
  },
  {
    user: 'Yes, one source of truth. Change the invoice.',
    steps: [[edit('src/invoice/format.ts', 'sum.toFixed(2)', 'cart.total().toString()'), test('invoice', 31)]],
    answer: 'The invoice prints what Cart.total() returns, and all 31 invoice tests pass.',
  },
  {
    user: 'How much slower is it? Finance prints 40,000 invoices at the end of the month.',
    steps: [
      [
        shell(
          'node bench/invoice.mjs --count 40000',
          'before  41.8 s   957 invoices/s\nafter   40.9 s   978 invoices/s',
        ),
      ],
    ],
    answer: 'Not slower: 40.9 s for 40,000 invoices, it was 41.8 s.',
  },
  {
    user: 'Does the documentation say how we round?',
    steps: [[grep('round', 'docs', 18)]],
    answer: 'docs/money/total.md said half-even. It now says: once, on the total, half-up.',
  },
  {
    user: 'Push it and tell me when CI is green.',
    steps: [
      [shell('git push origin fix/shop-4812', 'branch fix/shop-4812 -> 7c1e9ab\nCI run 90431 started')],
      [shell('npx ci-wait 90431', `${testOutput(40, [])}\nrun 90431: success in 6 min 12 s`)],
    ],
    answer: 'Run 90431 is green (6 min 12 s), commit 7c1e9ab.',
  },
]
