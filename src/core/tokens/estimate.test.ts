import { Tokenizer } from 'ai-tokenizer'
import * as claudeTable from 'ai-tokenizer/encoding/claude'
import fc from 'fast-check'
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { wellFormed } from '../message/text.js'
import { charsPer4 } from './charsPer4.js'
import type { Counter } from './counter.js'
import { estimator } from './estimate.js'
import { families } from './family.js'

const claude = new Tokenizer(claudeTable)
const asText = { disallowedSpecial: new Set<string>() }

const truth = {
  o200k: (text: string) => o200k(text, asText),
  cl100k: (text: string) => cl100k(text, asText),
  claude: (text: string) => claude.encode(text, [], []).length,
}
const measured = Object.keys(truth) as (keyof typeof truth)[]

const prose = [
  'The old lighthouse keeper had not spoken to anyone for three weeks when the storm finally broke. He climbed the narrow stairs each evening, lamp in hand, and watched the grey water rise against the rocks. “You could leave,” his sister wrote in her letters, “and no one would blame you.” But he never answered that part.',
  'The committee met on Tuesday to discuss the proposed changes to the city’s transportation plan. Several members expressed concern about the cost, which is expected to exceed forty million dollars over the next decade, while others argued that delaying the project would only make matters worse.',
  "I'm trying to understand why the deployment failed last night. The logs say the service couldn't connect to the database, but when I checked this morning everything looked fine. Could you walk me through how the connection pool is configured, and what happens when a connection times out?",
  'Photosynthesis is the process by which plants, algae and some bacteria convert light energy into chemical energy. It takes place mainly in the leaves, inside structures called chloroplasts, which contain a green pigment known as chlorophyll.',
].join('\n\n')

const corpora: Record<string, string> = {
  english: prose,
  german:
    'Die Straßenbahn hielt mit einem leisen Quietschen, und die Fahrgäste drängten sich durch die geöffneten Türen hinaus in den Regen. Niemand beachtete den Schlüsselbund auf dem Gehweg, obwohl Donaudampfschifffahrtsgesellschaft darauf eingraviert war.',
  french:
    'L’été dernier, nous avons traversé les Cévennes à pied, de village en village, sans savoir où nous dormirions le soir. C’était peut-être imprudent ; mais qu’importe, puisque l’hospitalité n’a jamais manqué.',
  finnish:
    'Järjestelmällisyydestään huolimatta hän ei löytänyt avaimiaan mistään, vaikka etsi niitä epätoivoisesti koko aamupäivän. Hakemistopinon rekisteröintikäytäntö muuttui.',
  polish: 'Zażółć gęślą jaźń. Wszystkie źródła są ogólnodostępne, a przyszłość należy do tych, którzy wierzą w piękno.',
  turkish:
    'İstanbul’un dar sokaklarında yürürken çocukların kahkahaları, simitçinin çağrısına karışıyordu; güneş batıyordu.',
  vietnamese:
    'Hôm qua tôi đã đến thư viện để mượn sách, nhưng thủ thư nói rằng quyển ấy đã được người khác đặt trước rồi.',
  russian: 'Вчера вечером мы долго спорили о том, следует ли переписывать программу заново или постепенно улучшать её.',
  ukrainian: 'Їхній будинок стояв біля річки, і щовечора ґазда виходив на ґанок, щоб послухати, як шумить вода.',
  greek: 'Το παλιό καΐκι επέστρεψε στο λιμάνι πριν από την καταιγίδα, φορτωμένο με ψάρια και ιστορίες από το πέλαγος.',
  arabic: 'وصل القطار متأخراً ساعتين، ولم يعتذر أحد. جلس المسافرون على الأرصفة يتبادلون القصص والشاي بالنعناع، ١٢٣.',
  persian: 'کتاب‌هایی که دیروز خریدم هنوز نرسیده‌اند؛ فروشنده می‌گوید پست تأخیر دارد و باید چند روز صبر کنم.',
  hebrew: 'הרכבת איחרה בשעתיים ואיש לא התנצל. שָׁלוֹם עֲלֵיכֶם, אמר הזקן וישב על הספסל שליד הקופה הסגורה.',
  hindi: 'कल रात बारिश इतनी तेज़ थी कि पूरे मोहल्ले की बिजली चली गई, और बच्चे मोमबत्ती की रोशनी में कहानियाँ सुनते रहे।',
  bengali: 'গতকাল রাতে বৃষ্টির কারণে পুরো পাড়ায় বিদ্যুৎ ছিল না, তাই আমরা মোমবাতি জ্বালিয়ে গল্প করছিলাম।',
  tamil: 'நேற்று இரவு பெய்த மழையால் தெருவெங்கும் தண்ணீர் தேங்கியது; குழந்தைகள் காகிதக் கப்பல் விட்டார்கள்.',
  thai: 'เมื่อคืนฝนตกหนักมากจนไฟฟ้าดับทั้งหมู่บ้าน เด็กๆ จึงนั่งฟังนิทานใต้แสงเทียนด้วยกัน',
  georgian: 'გუშინ საღამოს ძლიერი წვიმა მოვიდა და მთელ უბანში შუქი ჩაქრა.',
  armenian: 'Երեկ երեկոյան ուժեղ անձրև եկավ, և ամբողջ թաղամասում լույսն անջատվեց։',
  amharic: 'ትናንት ማታ ከባድ ዝናብ ስለነበረ በሰፈሩ ሁሉ መብራት ጠፋ።',
  burmese: 'မနေ့ညက မိုးသည်းထန်စွာရွာသွန်းသောကြောင့် တစ်ရပ်ကွက်လုံး မီးပျက်သွားသည်။',
  khmer: 'កាលពីយប់មិញ ភ្លៀងធ្លាក់ខ្លាំងណាស់ រហូតដល់ដាច់ភ្លើងពេញភូមិ។',
  tibetan: 'བོད་ཡིག་འདི་ཧ་ཅང་མཛེས་པོ་འདུག།',
  chinese:
    '昨天晚上雨下得很大，整个街区都停电了，孩子们围坐在烛光下听老人讲故事。人工智能模型的上下文窗口有限，必须截断历史。',
  traditional: '昨天晚上雨下得很大，整個街區都停電了，孩子們圍坐在燭光下聽老人講故事。憂鬱的臺灣烏龜。',
  rareHan: '龘靐齉爩鱻麤龗灪龖厵纞虋讟钃鸜麷鞻韽韾',
  japanese: '昨日の夜は雨がひどくて、町中が停電になりました。コンピューターのコンテキストウィンドウは限られています。',
  korean:
    '어젯밤에는 비가 너무 많이 와서 동네 전체가 정전이 되었고, 아이들은 촛불 아래에서 옛날이야기를 들었다. 뷁쀍쫽',
  emoji: '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇫🇷🇯🇵 1️⃣ ❤️‍🔥 🫠🪿 ✅ ☃️ 🧑🏿‍🚀',
  javascript: `export async function load(url, { retries = 3, signal } = {}) {
  for (let attempt = 0; ; attempt++) {
    try { return await (await fetch(url, { signal })).json() } catch (error) {
      if (attempt >= retries || signal?.aborted) throw new Error(\`gave up on \${url}\`, { cause: error })
    }
  }
}`,
  minified:
    'var e=r(7);function t(n,o){return!n||(o=o||{},n.a?o[n.b]=~~(n.c/1e3):(o.d&&=!1,o))}for(var i=0,x=y.length;i<x;i++)z[i]^=w>>>3&0xff;',
  python:
    'class Node:\n    def __init__(self, val: int, next: "Node | None" = None):\n        self.val, self.next = val, next\n\n\n\tprint(f"{self!r:>10}")\n',
  rust: "impl<T: Clone + 'static> Iterator for Peek<'_, T> { type Item = &'a mut T; fn next(&mut self) -> Option<Self::Item> { self.0.as_deref_mut()?.get_mut(..=5) } }",
  sql: "select c.id, count(*) filter (where e.kind = 'call') as n from conversation c left join entry e using (workspace_id, id) group by 1 having max(e.seq) > $2;",
  html: '<!doctype html><div class="mx-auto max-w-7xl px-4 sm:px-6" data-id=\'42\'><p>&nbsp;&copy; 2026</p></div><!-- end -->',
  json: JSON.stringify(
    { id: 'msg_01XFDUDYJgAACzvnptvVoYEL', items: [1.5, null, true, { snake_case: 'a\nb', camelCase: [] }] },
    null,
    2,
  ),
  base64:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
  hex: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 0xDEADBEEF #ff00aa',
  uuids: '018f3e5a-7b1c-7def-8abc-0123456789ab 6ba7b810-9dad-11d1-80b4-00c04fd430c8 01ARZ3NDEKTSV4RRFFQ69G5FAV',
  table:
    '| name | tokens | ratio |\n|:-----|------:|:----:|\n| o200k_base | 1,234 | 98.6 % |\n| claude | 12_345 | — |\n',
  log: '2026-08-01T12:34:56.789Z ERROR [pool-3-thread-17] c.a.b.Store - tx=7f3a9 rolled back after 30004ms (attempt 3/5) 10.0.42.117:54321',
  stack:
    "TypeError: Cannot read properties of undefined (reading 'map')\n    at Object.<anonymous> (/w/app/src/a.ts:12:34)\n    at node:internal/main/run_main_module:28:49",
  indent: '\n\n\n        \t\t\tx\r\n\r\n   \n \n\t \t \n                                              y   \n',
  rules: `${'='.repeat(80)}\n${'-'.repeat(33)}\n${'*'.repeat(7)}${'~'.repeat(19)}${'$'.repeat(12)}${'·'.repeat(9)}`,
  math: '∀x∈ℝ: ⌈x⌉ = −⌊−x⌋, α ∧ ¬β = ¬(¬α ∨ β), ∫₀^∞ e^{−x²} dx = √π⁄2, 𝔸𝕓𝒸',
  special: '<|endoftext|><|im_start|>system<|im_sep|></s>[INST]<bos><start_of_turn>\u0000\u0007\u001b[31mred\u001b[0m',
  surrogates: 'a\ud800b\udc00c\ufffd',
}

/** Words that follow English letter pairs without being English: the case hardest to tell from prose. */
const pseudo =
  'evar dectlet fauthed won con linitiorturatistase fery esed exte pely cous appo prew misting coph exint ake emong'

const hex = '0123456789abcdef'
const letters = 'abcdefghijklmnopqrstuvwxyz'
const base64 = `${letters}${letters.toUpperCase()}0123456789+/`
const string = (alphabet: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength })
const block = (from: number, to: number) =>
  fc
    .array(fc.integer({ min: from, max: to }), { minLength: 1, maxLength: 24 })
    .map((codes) => String.fromCodePoint(...codes))

const piece = fc.oneof(
  string(base64, 200),
  string(hex, 64),
  string(letters, 24),
  string(letters.toUpperCase(), 16),
  string('0123456789', 30),
  string('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', 20),
  string(' \n\t\r', 20),
  string(`${letters}      .,`, 80),
  block(0, 0x7f),
  block(0x80, 0x24f),
  block(0x370, 0x52f),
  block(0x590, 0x8ff),
  block(0x900, 0x1fff),
  block(0x2000, 0x303f),
  block(0x3040, 0x30ff),
  block(0x4e00, 0x9fff),
  block(0xac00, 0xd7a3),
  block(0xe000, 0xffff),
  block(0x1f1e6, 0x1faff),
  block(0x10000, 0x1f000),
  block(0x20000, 0x2ffff),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(...Object.values(corpora), ...pseudo.split(' ')),
)
const anyText = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.constantFrom('', ' ', '\n'))
  .map(([parts, seam]) => parts.join(seam))

/** Undefined when the counter stays at or above the tokenizer, else what it missed. */
function below(counter: Counter, count: (text: string) => number, text: string): string | undefined {
  const real = count(wellFormed(text))
  const said = counter.count(text)
  return said >= real ? undefined : `${said} < ${real}: ${JSON.stringify(text.slice(0, 80))}`
}

describe.each(measured)('the estimate for %s', (family) => {
  const counter = estimator(family)
  const count = truth[family]

  test.each(Object.entries({ ...corpora, pseudo }))('is never below the true count on %s [P-02]', (_, text) => {
    expect(below(counter, count, text)).toBeUndefined()
  })

  test('is never below on each line, word and half of the corpora', () => {
    for (const text of [...Object.values(corpora), pseudo]) {
      const half = Math.floor(text.length / 2)
      for (const part of [...text.split('\n'), ...text.split(' '), text.slice(0, half), text.slice(half)]) {
        expect(below(counter, count, part)).toBeUndefined()
      }
    }
  })

  test('is never below on random mixtures of scripts, codes and noise', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(below(counter, count, text)).toBeUndefined()
      }),
      { seed: 60, numRuns: 1500 },
    )
  })

  test('is at most twice the true count on English prose [P-02]', () => {
    expect(counter.count(prose) / count(prose)).toBeLessThanOrEqual(2)
  })
})

test('a checker that chars/4 passed would prove nothing: it falls below on Han, Kana, Hangul and base64 (T-60)', () => {
  for (const name of ['chinese', 'japanese', 'korean', 'base64', 'emoji']) {
    expect(below(charsPer4, truth.o200k, corpora[name] as string)).toBeDefined()
  }
})

test.each(families)('%s: joining two texts costs at most two tokens more than both [P-02]', (family) => {
  const { count } = estimator(family)
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      expect(count(a + b)).toBeLessThanOrEqual(count(a) + count(b) + 2)
    }),
    { seed: 61, numRuns: 300 },
  )
})

test.each(families)('%s: cutting prose at any place and joining it again costs at most two tokens more', (family) => {
  const { count } = estimator(family)
  const whole = count(prose)
  for (let at = 0; at <= prose.length; at++) {
    expect(whole).toBeLessThanOrEqual(count(prose.slice(0, at)) + count(prose.slice(at)) + 2)
  }
})

test.each(families)('%s: known words glued together cost at most two tokens more than apart', (family) => {
  const { count } = estimator(family)
  const words = 'a the you that people their would because something Between HTTP q x ing the été software'.split(' ')
  for (const a of words) {
    for (const b of words) expect(count(a + b)).toBeLessThanOrEqual(count(a) + count(b) + 2)
  }
})

test('an unknown family is charged the most of all families', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const most = Math.max(...families.map((family) => estimator(family).count(text)))
      expect(estimator('unknown').count(text)).toBe(most)
    }),
    { seed: 62, numRuns: 200 },
  )
})

test('nothing costs nothing, and a scale raises the count and shows in the name', () => {
  expect(estimator('o200k').count('')).toBe(0)
  expect(estimator('claude', 1.35).count(prose)).toBeGreaterThan(estimator('claude').count(prose) * 1.3)
  expect(estimator('claude', 1.35).name).toBe('estimate:claude x1.35')
})

test('a word costs the same whatever was counted before it, small, titled, or the end of a longer one', () => {
  const { count } = estimator('o200k')
  const word = fc.stringMatching(/^[A-Z]?[a-z]{1,14}$/)
  const costs = new Map<string, number>()
  for (const one of fc.sample(word, { numRuns: 6_000, seed: 63 }))
    for (const form of [one, one.toLowerCase(), one.slice(1), `x${one}`]) {
      const cost = count(form)
      expect(costs.get(form) ?? cost).toBe(cost)
      costs.set(form, cost)
    }
  for (const [form, cost] of costs) expect(count(form)).toBe(cost)
})
