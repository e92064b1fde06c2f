/** The stem of an English word, after Porter's algorithm of 1980: relations, related and relating are one. */
const vowel = '[aeiouy]'
const consonants = '[^aeiou][^aeiouy]*'
const vowels = '[aeiouy][aeiou]*'
const measured = new RegExp(`^(?:${consonants})?${vowels}${consonants}`)
const once = new RegExp(`^(?:${consonants})?${vowels}${consonants}(?:${vowels})?$`)
const twice = new RegExp(`^(?:${consonants})?${vowels}${consonants}${vowels}${consonants}`)
const voiced = new RegExp(`^(?:${consonants})?${vowel}`)
const short = new RegExp(`^${consonants}${vowel}[^aeiouwxy]$`)
const double = /([^aeioulsz])\1$/

type Ending = readonly [ending: string, instead: string]

const second: readonly Ending[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
]
const third: readonly Ending[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]
const fourth = /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/

export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  return fifth(cut(ending(ending(y(past(plural(word))), second), third)))
}

function plural(word: string): string {
  if (/(?:ss|i)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

function past(word: string): string {
  if (word.endsWith('eed')) return measured.test(word.slice(0, -3)) ? word.slice(0, -1) : word
  const base = word.replace(/(?:ed|ing)$/, '')
  if (base === word || !voiced.test(base)) return word
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`
  if (double.test(base)) return base.slice(0, -1)
  return short.test(base) ? `${base}e` : base
}

const y = (word: string): string =>
  word.endsWith('y') && voiced.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word

function ending(word: string, endings: readonly Ending[]): string {
  for (const [end, instead] of endings) {
    if (!word.endsWith(end)) continue
    const base = word.slice(0, -end.length)
    return measured.test(base) ? base + instead : word
  }
  return word
}

function cut(word: string): string {
  const base = word.replace(fourth, '')
  return base !== word && twice.test(base) ? base : word
}

function fifth(word: string): string {
  const base = word.endsWith('e') ? word.slice(0, -1) : word
  const kept = measured.test(base) && !(once.test(base) && short.test(base))
  const bare = base !== word && kept ? base : word
  return bare.endsWith('ll') && twice.test(bare) ? bare.slice(0, -1) : bare
}
