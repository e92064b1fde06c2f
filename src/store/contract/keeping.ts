/** What is kept beside the entries: blobs and receipts. */

export interface NewBlob {
  readonly bytes: Uint8Array
  readonly mediaType: string
}

export interface BlobFacts {
  readonly sha256: string
  readonly mediaType: string
  readonly size: number
}

/** The bytes of a file, found by their hash. */
export interface StoredBlob extends BlobFacts {
  readonly bytes: Uint8Array
}

/** A receipt with what it belongs to. */
export interface StoredReceipt {
  readonly id: string
  readonly conversation: string
  /** The entry the window led to, once there is one. */
  readonly entry: string | null
  readonly at: string
  readonly body: unknown
}
