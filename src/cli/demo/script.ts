/** What is said in the demo: a week in Kyoto, planned in twenty turns. Every word is written by hand. */
import { hotels, sights, trains, weather } from './outputs.js'

/** Name, arguments and output of a tool call. */
type DemoCall = readonly [name: string, input: Readonly<Record<string, unknown>>, output: string]

export interface DemoTurn {
  readonly user: string
  /** Tools that are called before the answer, all at once. */
  readonly calls?: readonly DemoCall[]
  readonly answer: string
}

export const title = 'Demo: a week in Kyoto'
export const system = 'You plan journeys. Use the tools, and quote names, times and prices exactly.'

export const tools = [
  { name: 'find_trains', description: 'Trains between two stations on a day.', fields: ['from', 'to', 'day'] },
  { name: 'find_hotels', description: 'Hotels of a district.', fields: ['district', 'nights'] },
  { name: 'forecast', description: 'The weather of a place, day by day.', fields: ['place', 'from'] },
  { name: 'find_sights', description: 'What there is to see, with opening hours.', fields: ['district'] },
].map(({ name, description, fields }) => ({
  name,
  description,
  parameters: {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
    required: [fields[0]],
  },
}))

export const turns: readonly DemoTurn[] = [
  {
    user: 'We are two, we fly to Osaka on 4 April and have seven nights for Kyoto. Mira cannot eat peanuts. We want to spend at most 1,400 euros on beds and trains.',
    answer:
      'Noted: two people, seven nights from **4 April**, no peanuts for Mira, at most **€1,400** for beds and trains. Shall I begin with the way from Kansai Airport to Kyoto?',
  },
  {
    user: 'Yes. We land at 14:10.',
    calls: [['find_trains', { from: 'Kansai Airport', to: 'Kyoto', day: '4 April' }, trains(16)]],
    answer:
      'Take the **Haruka 34 at 15:44**: it reaches Kyoto at 17:02 without a change, ¥3,600 each. The one before leaves at 15:14, which is tight with luggage.',
  },
  {
    user: 'Good. Where should we stay? Quiet, walkable, and not more than 130 euros a night.',
    calls: [['find_hotels', { district: 'Higashiyama', nights: 7 }, hotels(18)]],
    answer:
      'Three fit, all in Higashiyama:\n\n| house | a night | why |\n| --- | --- | --- |\n| **Sora Higashiyama** | €118 | garden rooms, 6 minutes to Gion |\n| Machiya Aoi | €126 | a whole house, steep stairs |\n| Inn Kiyomizu | €109 | busy street |\n\nI would take Sora Higashiyama.',
  },
  {
    user: 'Sora it is. Book from the 4th to the 11th under Lindqvist, please, and remember that the room must be on the garden side.',
    answer:
      'Held: **Sora Higashiyama**, 4 to 11 April, two people, garden side, name Lindqvist, reference **KY-20417**. Seven nights at €118 are €826.',
  },
  {
    user: 'How is the weather going to be?',
    calls: [['forecast', { place: 'Kyoto', from: '4 April' }, weather(8)]],
    answer:
      'Mild, 9 to 19 °C. Rain is likely on **Tuesday the 7th**; the other days are dry. The cherries should be at their best until about the 8th.',
  },
  {
    user: 'Then outside first, inside on Tuesday. What is there near the hotel?',
    calls: [['find_sights', { district: 'Higashiyama' }, sights(20)]],
    answer:
      'Close by: Kiyomizu-dera (from 06:00), Kodai-ji, Yasaka Shrine and Maruyama Park. For the rain: the **Kyoto National Museum**, closed on Mondays, so Tuesday works.',
  },
  {
    user: 'Put it into days.',
    answer:
      '- **Sat 4** arrive, Gion in the evening\n- **Sun 5** Kiyomizu-dera at 07:00, Kodai-ji\n- **Mon 6** Philosopher’s Path, Ginkaku-ji\n- **Tue 7** National Museum, Nishiki Market\n- **Wed 8** Arashiyama\n- **Thu 9** open\n- **Fri 10** Nara\n- **Sat 11** leave',
  },
  {
    user: 'What could we do on the open Thursday?',
    answer:
      'Kurama and Kibune: a train into the hills, a walk of two hours over the pass between the villages, and a bath at the end. It is the quiet day of the week.',
  },
  {
    user: 'And dinner on the first evening, given Mira’s allergy?',
    answer:
      'Sesame sauces may contain peanut, so a kitchen that answers questions is best: **Giro Giro** takes allergies by mail two days before. I would write: “One guest cannot eat peanuts (落花生アレルギー).”',
  },
  {
    user: 'Please draft that mail.',
    answer:
      '> Dear Giro Giro,\n> we have a table for two on 4 April at 19:30 under Lindqvist. One guest cannot eat peanuts (落花生アレルギー), not even traces. Can you cook for her?\n> Kind regards, Jonas Lindqvist',
  },
  {
    user: 'How do we get to Nara on Friday?',
    calls: [['find_trains', { from: 'Kyoto', to: 'Nara', day: '10 April' }, trains(22)]],
    answer:
      'The **Miyakoji rapid at 09:07** takes 44 minutes, ¥720 each way. There is one every half hour, so nothing needs to be booked.',
  },
  {
    user: 'Which trains back to the airport? We fly at 13:30 on the 11th.',
    calls: [['find_trains', { from: 'Kyoto', to: 'Kansai Airport', day: '11 April' }, trains(18)]],
    answer: '**Haruka 11 at 09:15**, at the airport at 10:33. That leaves three hours before the flight.',
  },
  {
    user: 'How much have we spent so far?',
    answer:
      'Beds €826. Trains: airport and back ¥7,200 each, Nara ¥1,440 each: ¥17,280 for two, about €106. Together **€932 of €1,400**.',
  },
  {
    user: 'Is there something special to see at night while the cherries are out?',
    answer:
      'Yes: **Kodai-ji is lit until 22:00** in those weeks, and Maruyama Park has its great weeping cherry. Sunday evening fits: you are there anyway.',
  },
  {
    user: 'Put that into Sunday. And is there a good place for tea on the way?',
    answer:
      'Sunday: Kiyomizu-dera at 07:00, tea at **Kasagiya** (open from 10:00, small, no reservations), a rest, Kodai-ji at 19:00.',
  },
  {
    user: 'What if it rains on Wednesday instead?',
    answer: 'Then Wednesday and Tuesday change places: the museum is open on both days, and Arashiyama needs the sun.',
  },
  {
    user: 'Can we store our luggage on the last morning?',
    answer:
      'You leave at 09:15, so there is no need: the reception opens at 06:30 and calls a taxi to the station, about ¥1,400.',
  },
  {
    user: 'Do the shops in Nishiki Market take cards?',
    answer: 'About half of them do. Take ¥5,000 in notes for the small stands; the post office at Shijo changes money.',
  },
  {
    user: 'Remind me: is the mail to the restaurant written?',
    answer: 'Yes, the draft is above. It has to be sent by **2 April**, two days before.',
  },
  {
    user: 'Now write one message for my sister: when we arrive and leave, where we sleep with the reference, and what to know about food.',
    answer:
      'We arrive on **4 April** for seven nights and leave with the **Haruka 11 at 09:15** on the 11th. Mira cannot eat peanuts, not even traces.\n\nI can’t say where we sleep: there is no hotel and no booking reference in what I was given.',
  },
]

/** What the last answer says once the booking is in its window. */
export const booked = 'KY-20417'
export const found =
  'We arrive on **4 April** for seven nights and leave with the **Haruka 11 at 09:15** on the 11th. Mira cannot eat peanuts, not even traces.\n\nWe sleep at **Sora Higashiyama**, garden side, reference **KY-20417**, under the name Lindqvist.'

/** Stands for the turns up to the plan of days; those stay in the log. */
export const summary = {
  after: 10,
  upTo: 7,
  text: 'So far: two people, Kyoto from 4 to 11 April, at most €1,400 for beds and trains, no peanuts for Mira. Haruka 34 at 15:44 from the airport. A plan of days exists; Tuesday the 7th may be wet, so the museum is then.',
}

/** Another way that the same conversation went. */
export const demoBranches = {
  edited: {
    name: 'ryokan-instead',
    /** The turn that was written anew. */
    at: 4,
    turns: [
      {
        user: 'Before you book: is there a ryokan with a bath in the same place? It may cost up to 180 euros.',
        calls: [['find_hotels', { district: 'Higashiyama', nights: 7, kind: 'ryokan' }, hotels(9)]],
        answer:
          'One: **Ryokan Motonago**, €172 a night with breakfast and a shared cypress bath. Seven nights are €1,204, which leaves €196 for trains.',
      },
      {
        user: 'Do the trains still fit?',
        answer: 'Yes: airport and back and Nara are about €106 for two. The sum is **€1,310 of €1,400**.',
      },
    ] as readonly DemoTurn[],
  },
  again: {
    name: 'shorter-answer',
    /** The turn whose answer was asked for once more. */
    at: 7,
    answer:
      'Sat arrive · Sun temples · Mon Philosopher’s Path · Tue museum · Wed Arashiyama · Thu open · Fri Nara · Sat leave.',
  },
} as const
