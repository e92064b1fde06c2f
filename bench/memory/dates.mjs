// Dates as the data sets write them: "1:56 pm on 8 May, 2023", "2023/05/20 (Sat) 02:21", "March-15-2024".
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** Milliseconds since 1970. */
export function instantOf(date) {
  const [, hour = '0', minute = '0', half] = /(\d{1,2}):(\d\d) ?([ap]m)?/i.exec(date) ?? []
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour)
  return dayOf(date) + (hours * 60 + Number(minute)) * 60_000
}

function dayOf(date) {
  const numbers = /(\d{4})[/-](\d\d?)[/-](\d\d?)/.exec(date)
  if (numbers) return Date.UTC(Number(numbers[1]), Number(numbers[2]) - 1, Number(numbers[3]))
  const named = /(\d{1,2}) ([A-Z][a-z]+),? (\d{4})/.exec(date)
  if (named) return Date.UTC(Number(named[3]), monthOf(named[2]), Number(named[1]))
  const joined = /([A-Z][a-z]+)-(\d{1,2})-(\d{4})/.exec(date)
  if (joined) return Date.UTC(Number(joined[3]), monthOf(joined[1]), Number(joined[2]))
  throw new Error(`no date: ${date}`)
}

const monthOf = (name) => months.indexOf(name.slice(0, 3).toLowerCase())
