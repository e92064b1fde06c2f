/** What is worked out of the words of many entries, packed. */
import type { Sheet } from '../contract/sheet.js'
import type { Store } from '../contract/store.js'
import { find, keyOf, type Sqlite } from './desk.js'
import * as side from './side.js'

export const sheets = (desk: Sqlite): Pick<Store, 'putSheet' | 'sheets'> => ({
  async putSheet(workspace, conversation, kind, { first, last, bare, bytes }) {
    const key = keyOf(workspace, conversation)
    return desk.group.write(() => {
      find(desk, key)
      return desk.db.run(side.putSheet, { ...key, kind, first, last, bare, bytes }) > 0
    })
  },

  async sheets(workspace, conversation, kind, firsts) {
    const asked = { ...keyOf(workspace, conversation), kind, firsts: firsts ? JSON.stringify(firsts) : null }
    const rows = await desk.group.look(() => desk.db.all(firsts ? side.sheetsAt : side.sheets, asked))
    return rows.map(
      (row): Sheet => ({
        first: row.first as number,
        last: row.last as number,
        bytes: row.bytes as Uint8Array,
      }),
    )
  },
})
