import { describe, test } from 'vitest'
import { storeSuite } from '../../src/testing/index.js'
import { openMemory } from './memory.js'

const cases = storeSuite({ open: async () => openMemory() })

/** Which cases of the suite prove a requirement. Every store runs all of them in its own tests. */
const by =
  (...names: readonly string[]) =>
  async () => {
    for (const name of names) {
      const found = cases.find((one) => one.name === name)
      if (!found) throw new Error(`the suite has no case "${name}"`)
      await found.run()
    }
  }

describe('a store', () => {
  test(
    'puts entries in order by a sequence number given inside the write, whatever clocks and ids say [L-6] [T-47] [T-49]',
    by(
      'keeps the order of writing when clocks run backwards and ids are random',
      'keeps the order when times are equal, absurd or no times at all',
      'keeps the order of ids that sort backwards, within a batch and between batches',
    ),
  )

  test(
    'appends whole batches, keeps both of two at once, and tells a stale writer so [L-7]',
    by(
      'leaves nothing of a batch with a bad entry in the middle',
      'leaves nothing of a batch with a result whose call nobody made',
      'leaves nothing of a batch that holds one entry that is there already',
      'keeps every append of many writers, without a gap and in one chain',
      'lets one of two writers with the same expectation win and tells the other where the head is',
    ),
  )

  test(
    'gives the same key the same answer and writes no second row [L-8]',
    by(
      'gives the same key with the same request the same answer and no second row',
      'refuses a key that was used for other words, another branch or another place',
      'writes once when the same key arrives ten times at once',
      'gives an exact retry the stored entries and writes nothing',
    ),
  )

  test(
    'lets one of two writers with one expectation succeed [T-32]',
    by(
      'lets one of two writers with the same expectation win and tells the other where the head is',
      'lets one of many writers begin a conversation',
      'lets one of two moves of a branch win',
    ),
  )

  test(
    'loses no message of writers that interleave, however many come in one millisecond [T-28] [T-31] [T-48]',
    by(
      'keeps every append of many writers, without a gap and in one chain',
      'keeps appends to different branches at once',
      'shows a reader of the feed every entry once while four writers append',
    ),
  )

  test(
    'refuses an unknown parent and keeps the tree whole [T-25]',
    by('refuses to begin at an entry that is not there and breaks no tree'),
  )

  test(
    'builds the whole tree from its rows, each read once wherever it is shared [T-45] [T-50]',
    by(
      'gives every entry of a random tree its depth, totals, turns, opener, summary and hash',
      'forks without a copy, and two branches share what is before the fork',
      'brings the first user message of the path and the newest summary when they lie outside',
      'reads a long path in one piece',
    ),
  )

  test(
    'knows rows by their id, never by their position [T-11]',
    by(
      'finds an entry by its id, and none where there is none',
      'keeps the order of ids that sort backwards, within a batch and between batches',
      'takes the same id in two conversations',
    ),
  )

  test(
    'goes on after a crash between a call and its result [T-10]',
    by(
      'goes on after a crash between a call and its result',
      'recovers a draft once: the first owner is fenced, and one entry comes of it',
    ),
  )

  test(
    'refuses a second result for a call and does not store it [T-14]',
    by(
      'refuses a result whose call is not there, and one whose call has its result',
      'leaves nothing of a batch with two results for one call',
      'lets both sides of a fork under an open call answer it',
    ),
  )

  test('gives tool calls back as they were written [T-15]', by('gives calls and results back as they were written'))

  test(
    'brings nothing back for a late writer after a delete [T-34]',
    by(
      'turns every late writer and reader away, and brings nothing back',
      'leaves no entry when an append and a delete race',
    ),
  )

  test(
    'leaves no body anywhere after a delete, and takes nothing of another conversation [T-83]',
    by(
      'removes one conversation with all it owns, and says what was removed',
      'removes nothing of another conversation, nor what both have',
      'removes the words of an entry from every read, and the chain still holds',
      'brings no words back with a retry, by id or by key',
    ),
  )

  test(
    'refuses a NUL and half a character wherever they are written [T-55]',
    by(
      'refuses a NUL wherever it is written',
      'refuses half a character wherever it is written',
      'finds nothing under a name with a NUL',
      'gives back last characters of planes as it was',
    ),
  )

  test(
    'refuses a filter it does not know, and takes keys and values of filters as data [T-70] [T-75]',
    by(
      'refuses a cursor that no page gave, a limit that is none, and a filter it does not know',
      'filters by pinned, archived, folder and tag, alone and together',
    ),
  )

  test(
    'reads stored JSON as plain data [T-76]',
    by(
      'gives back numbers, keys and their order as JSON has them',
      'stores what JSON makes of a value, and its hash is of that',
    ),
  )

  test(
    'finds a change made behind its back [T-77]',
    by('finds the entry whose words were changed behind its back', 'verifies a sound conversation, empty or full'),
  )

  test(
    'shows a workspace nothing of another, and a conversation nothing of another [P-21] [S3-13]',
    by(
      ...cases.map(({ name }) => name).filter((name) => name.startsWith("answers another workspace's")),
      'answers another workspace about a deleted conversation as about one that never was',
      'keeps the same ids in two workspaces apart, for good and ill',
      'takes the same id in two conversations',
      'keeps keys of two conversations apart',
    ),
  )

  test(
    'keeps the full history, which can branch, and an edit is a fork [S1-F2] [S1-F7] [S1-F8]',
    by(
      'forks without a copy, and two branches share what is before the fork',
      'begins a branch at an entry, or moves one there, and the old path stays',
      'leaves old paths as they were, whatever is written later',
    ),
  )
})
