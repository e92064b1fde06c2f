/** What the tools of the demo answer: long enough to be shortened, the same on every machine. */

const pad = (value: number): string => String(value).padStart(2, '0')

const rows = (count: number, row: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => row(i)).join('\n')

export const trains = (count: number): string =>
  `train,leaves,arrives,changes,platform,fare_yen\n${rows(count, (i) => {
    const leaves = 9 * 60 + 7 + i * 29
    const arrives = leaves + 44 + ((i * 17) % 40)
    const time = (minutes: number): string => `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
    return `${i % 3 === 0 ? 'Haruka' : 'Rapid'} ${2 * i + 4},${time(leaves)},${time(arrives)},${i % 3 === 0 ? 0 : 1},${1 + (i % 9)},${720 + ((i * 480) % 2_900)}`
  })}`

const houses = ['Sora Higashiyama', 'Machiya Aoi', 'Inn Kiyomizu', 'Ryokan Motonago', 'Gion Hanare', 'Hotel Sanjo']
const notes = ['garden rooms', 'steep stairs', 'busy street', 'cypress bath', 'no lift', 'breakfast until 10:00']

export const hotels = (count: number): string =>
  `{"hotels":[\n${rows(
    count,
    (i) =>
      `  {"name":"${houses[i % 6]}${i < 6 ? '' : ` ${1 + Math.floor(i / 6)}`}","eur":${109 + ((i * 37) % 90)},"score":${(7 + ((i * 13) % 29) / 10).toFixed(1)},"walk_min":${4 + ((i * 7) % 21)},"note":"${notes[(i * 5) % 6]}"}`,
  )}\n]}`

export const weather = (count: number): string =>
  rows(
    count,
    (i) =>
      `April ${4 + i}: ${8 + ((i * 3) % 5)} to ${15 + ((i * 7) % 6)} °C, rain ${i === 3 ? 80 : (i * 13) % 25} %, wind ${6 + ((i * 5) % 12)} km/h, sunrise 05:${pad(41 - i)}, sunset 18:${pad(20 + i)}`,
  )

const places = ['Kiyomizu-dera', 'Kodai-ji', 'Yasaka Shrine', 'Maruyama Park', 'National Museum', 'Sanjusangen-do']

export const sights = (count: number): string =>
  rows(
    count,
    (i) =>
      `${i + 1}. ${places[i % 6]}${i < 6 ? '' : `, part ${1 + Math.floor(i / 6)}`}: opens ${pad(6 + (i % 4))}:00, closes ${pad(17 + (i % 5))}:00, ¥${200 + ((i * 150) % 900)}, ${3 + ((i * 7) % 25)} minutes on foot, ${i % 5 === 4 ? 'closed on Mondays' : 'open every day'}`,
  )
