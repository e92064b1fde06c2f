/** The few words that this responder says of its own. */

export const extractiveId = 'builtin/extractive'

export const phrases = {
  user: 'Earlier in this conversation you said:',
  assistant: 'Earlier in this conversation the assistant said:',
  tool: 'A tool or a file in this conversation says:',
  noted: 'Noted:',
  first: 'Your first message that I can see was:',
  last: 'Your last message before this one was:',
  answered: 'The last answer before this was:',
  listed: 'In the newest list of this conversation that is:',
  noMore: 'I found nothing else about it in this conversation.',
  nothing: 'I found nothing about that in this conversation.',
  alone: 'There is nothing before this message that I could quote.',
  self: 'I am the built-in responder, no AI: I can only quote what was said in this conversation.',
} as const

export const shortList = (size: number): string => `The newest list of this conversation has only ${size} entries.`

const openings = Object.values(phrases)

/** True for an answer that was put together from these phrases. */
export const isOwnAnswer = (text: string): boolean => openings.some((phrase) => text.startsWith(phrase))
