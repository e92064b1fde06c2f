/** Blobs and receipts. */
import { receiptSeal } from './seal.js'
import { sql } from './statement.js'

const receiptColumns = 'r.id, r.conversation_id, r.entry_id, r.at, r.body'

// blobs

/** An update of nothing locks the row against a removal that runs at the same time. */
export const putBlob = sql(
  'put_blob',
  `insert into blob as b (workspace_id, sha256, media_type, size, bytes)
    select workspace_id, $3::text, $4::text, $5::bigint, $6::bytea from conversation where workspace_id = $1 and id = $2
    on conflict (workspace_id, sha256) do update set size = b.size returning b.media_type, b.size`,
)

export const putBlobRef = sql(
  'put_blob_ref',
  `insert into blob_ref (workspace_id, conversation_id, sha256)
    select workspace_id, id, $3::text from conversation where workspace_id = $1 and id = $2 on conflict do nothing`,
)

export const getBlob = sql(
  'get_blob',
  'select sha256, media_type, size, bytes from blob where workspace_id = $1 and sha256 = $2',
)

/** The files of a conversation whose bytes are those that their name says. */
export const wholeBlobs = sql(
  'whole_blobs',
  `select b.sha256 from blob_ref r join blob b on b.workspace_id = r.workspace_id and b.sha256 = r.sha256
    where r.workspace_id = $1 and r.conversation_id = $2 and b.sha256 = encode(sha256(b.bytes), 'hex')
      and b.size = length(b.bytes)`,
)

/** The blobs of a conversation, or those of them that a condition names. */
const removal = (name: string, condition = '') => ({
  /** In the order of their hashes, so that two removals never wait for each other. */
  lock: sql(
    `lock_${name}`,
    `select 1 from blob where workspace_id = $1
      and sha256 in (select sha256 from blob_ref where workspace_id = $1 and conversation_id = $2${condition})
    order by sha256 for update`,
  ),
  /** Those that only this conversation refers to go with the references. */
  remove: sql(
    `remove_${name}`,
    `with freed as (
      delete from blob_ref where workspace_id = $1 and conversation_id = $2${condition} returning sha256
    )
    delete from blob b using freed where b.workspace_id = $1 and b.sha256 = freed.sha256
      and not exists (
        select from blob_ref other
          where other.workspace_id = $1 and other.sha256 = b.sha256 and other.conversation_id <> $2
      )`,
  ),
})

export const { lock: lockBlobs, remove: removeBlobs } = removal('blobs')
export const { lock: lockNamedBlobs, remove: removeNamedBlobs } = removal(
  'named_blobs',
  ' and sha256 = any ($3::text[])',
)

// receipts

export const putReceipt = sql(
  'put_receipt',
  `insert into receipt (workspace_id, conversation_id, id, entry_id, at, body, seal)
    select workspace_id, id, $3::text, $4::text, $5::text, $6::text::json, ${receiptSeal('$3::text', '$4::text', '$5::text', '$6::text')}
    from conversation where workspace_id = $1 and id = $2 on conflict do nothing`,
)

export const selectReceipt = sql(
  'get_receipt',
  `select ${receiptColumns} from receipt r where r.workspace_id = $1 and r.id = $2`,
)

const receipts = `select ${receiptColumns} from receipt r where r.workspace_id = $1 and r.conversation_id = $2`

export const selectReceipts = sql('list_receipts', `${receipts} order by r.at desc, r.id limit $3`)

export const listReceiptsAfter = sql(
  'list_receipts_after',
  `(${receipts} and r.at = $4 and r.id > $5 order by r.id limit $3)
    union all (${receipts} and r.at < $4 order by r.at desc, r.id limit $3)
    order by at desc, id limit $3`,
)
