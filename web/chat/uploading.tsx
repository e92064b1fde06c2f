import { words } from '../strings/chat.js'

/** How far the files have come; nothing when none are on their way. */
export function Uploading({ sent }: { readonly sent: number | null }) {
  if (sent === null) return null
  return (
    <p className="uploading">
      <progress value={sent} max={1} aria-label={words.uploading} />
      <span className="dim small">
        {words.uploading} {Math.round(sent * 100)} %
      </span>
    </p>
  )
}
