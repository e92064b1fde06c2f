/** Checksums of what no hash covers, made by the server: a change behind the store's back shows. */
import { sql } from './statement.js'

/** Of an entry whose words were removed. */
export const bareSeal = (body = 'body::text'): string =>
  `md5(id || ' ' || tokens::text || ' ' || at || ' ' || coalesce(author, '') || ' ' || coalesce(model, '') || ${body})`

export const receiptSeal = (id = 'id', entry = 'entry_id', at = 'at', body = 'body::text'): string =>
  `md5(${id} || ' ' || coalesce(${entry}, '') || ' ' || ${at} || ${body})`

/** Receipts and redactions of a conversation that are not as they were written. */
export const unsealed = sql(
  'unsealed',
  `select 0 as seq, 'receipt ' || id || ' was changed' as fault from receipt
      where workspace_id = $1 and conversation_id = $2 and seal <> ${receiptSeal()}
    union all select seq, case when not redacted then 'words are back that were redacted'
        when seal is null then 'its words are missing, and nobody redacted it' else 'what was left of it was changed' end
      from entry where workspace_id = $1 and conversation_id = $2
        and (redacted or seal is not null) and (not redacted or seal is distinct from ${bareSeal()})`,
)
