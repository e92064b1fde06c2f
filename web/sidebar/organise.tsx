/** In which folder a conversation is, and which tags it has. */
import { useState } from 'react'
import type { Conversation } from '../../src/client/index.js'
import { Dialog } from '../dialog.js'
import { strings } from '../strings/pages.js'
import type { List } from '../use-list.js'

interface Props {
  readonly one: Conversation
  readonly list: List
  close(): void
}

export function Organise({ one, list, close }: Props) {
  const [folder, setFolder] = useState(one.folder ?? '')
  const [tags, setTags] = useState(one.tags.join(', '))
  const save = (): void => {
    const words = tags.split(',').flatMap((tag) => tag.trim().slice(0, 100) || [])
    void list.change(one.id, { folder: folder.trim().slice(0, 200) || null, tags: [...new Set(words)].slice(0, 50) })
    close()
  }
  return (
    <Dialog label={strings.organiseTitle} close={close}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <p className="dim">{one.title || strings.untitled}</p>
        <label>
          {strings.folder}
          <input
            list="folders"
            value={folder}
            placeholder={strings.folderHint}
            maxLength={200}
            onChange={(event) => setFolder(event.target.value)}
          />
        </label>
        <datalist id="folders">
          {list.labels?.folders.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <label>
          {strings.tags}
          <input value={tags} placeholder={strings.tagsHint} onChange={(event) => setTags(event.target.value)} />
        </label>
        <footer>
          <button type="button" className="quiet" onClick={close}>
            {strings.cancel}
          </button>
          <button type="submit" className="primary">
            {strings.save}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
