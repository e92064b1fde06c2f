/** Blobs and receipts. */
import { sql } from './statement.js'

const receiptColumns = 'r.id, r.conversation_id, r.entry_id, r.at, r.body'

// blobs

/** An update of nothing locks the row against a removal that runs at the same time. */
export const putBlob = sql(
  'put_blob',
  `insert into blob as b (workspace_id, sha256, media_type, size, bytes)
    select workspace_id, $3, $4, $5, $6 from conversation where workspace_id = $1 and id = $2
    on conflict (workspace_id, sha256) do update set size = b.size returning media_type, size`,
)

export const putBlobRef = sql(
  'put_blob_ref',
  `insert into blob_ref (workspace_id, conversation_id, sha256)
    select workspace_id, id, $3 from conversation where workspace_id = $1 and id = $2 on conflict do nothing`,
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

export const lockNamedBlobs = sql(
  'lock_named_blobs',
  `select 1 from blob where workspace_id = $1 and sha256 = any ($3::text[])
      and sha256 in (select sha256 from blob_ref where workspace_id = $1 and conversation_id = $2)
    order by sha256 for update`,
)

/** The blobs $3 that only this conversation refers to go with the references. */
export const removeNamedBlobs = sql(
  'remove_named_blobs',
  `with freed as (
      delete from blob_ref where workspace_id = $1 and conversation_id = $2 and sha256 = any ($3::text[]) returning sha256
    )
    delete from blob b using freed where b.workspace_id = $1 and b.sha256 = freed.sha256
      and not exists (
        select from blob_ref other
          where other.workspace_id = $1 and other.sha256 = b.sha256 and other.conversation_id <> $2
      )`,
)

// receipts

export const putReceipt = sql(
  'put_receipt',
  `insert into receipt (workspace_id, conversation_id, id, entry_id, at, body)
    select workspace_id, id, $3, $4, $5, $6 from conversation where workspace_id = $1 and id = $2 on conflict do nothing`,
)

export const getReceipt = sql(
  'get_receipt',
  `select ${receiptColumns} from receipt r where r.workspace_id = $1 and r.id = $2`,
)

const receipts = `select ${receiptColumns} from receipt r where r.workspace_id = $1 and r.conversation_id = $2`

export const listReceipts = sql('list_receipts', `${receipts} order by r.at desc, r.id limit $3`)

export const listReceiptsAfter = sql(
  'list_receipts_after',
  `(${receipts} and r.at = $4 and r.id > $5 order by r.id limit $3)
    union all (${receipts} and r.at < $4 order by r.at desc, r.id limit $3)
    order by at desc, id limit $3`,
)
