/** What the demo says of itself: on the first screen, and while it guides. */
import { many, count as number } from './number.js'

export const words = {
  example: 'Live example',
  exampleSays: (messages: number) => `A trip planned over ${number(messages)} messages. The answer lost the hotel.`,
  hotelMissing: 'the hotel is missing',
  leftOut: (depth: number) => `Never sent: message ${number(depth + 1)}`,
  find: 'Find it in 3 steps',
  findCost: (tokens: number) => `Bringing it back costs ${many(Math.round(tokens), 'token', 'tokens')}.`,
  guideMe: 'Guide me',

  guide: 'Guided demo',
  stepOf: (step: number) => `${step} of 3`,
  done: 'Done',
  see: 'See what went wrong',
  seeSays: (seen: number, of: number) =>
    `You asked where you sleep. The answer does not know: it saw ${number(seen)} of ${number(of)} messages.`,
  cut: 'Find the cut',
  cutSays: (place: number) =>
    `The list opens where messages were cut. Message ${number(place)} holds the hotel and the reference.`,
  ask: 'Pin and ask again',
  askSays: (tokens: number) =>
    `Pinning costs ${many(Math.round(tokens), 'token', 'tokens')}. Ask the same question again and compare the two answers.`,
  next: { find: 'Next: find the cut', pin: 'Next: pin it' },
  pinAndAsk: 'Pin and ask again',
  asking: 'Asking…',
  back: 'Back',
  knows: 'Now it knows',
  knowsSays: 'The same question, with the booking in the window. The line under the answer says what it saw.',
  honest: 'Works offline. The receipts are real, the answers are written by hand.',
  leave: 'Leave the demo',
}
