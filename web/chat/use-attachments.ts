/** Files that wait to be sent: picked, pasted or dropped. */
import { type DragEvent, useState } from 'react'
import { words } from '../strings/chat.js'
import { type Attachment, type Room, read } from './attachment.js'

export function useAttachments(room: Room) {
  const [files, setFiles] = useState<readonly Attachment[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [isOver, setOver] = useState(false)
  const used = files.reduce((sum, { bytes, source }) => sum + (source.kind === 'bytes' ? 0 : bytes), 0)

  const add = async (given: Iterable<File>): Promise<void> => {
    setProblem(null)
    let left = room.within - used
    for (const file of given)
      try {
        const one = await read(file, { ...room, within: left })
        if (one.source.kind !== 'bytes') left -= one.bytes
        setFiles((before) => [...before, one])
      } catch (error) {
        setProblem(error instanceof Error ? error.message : words.fileFailed(file.name))
      }
  }

  return {
    files,
    problem,
    isOver,
    // the list is emptied when its event ends
    add: (given: FileList) => void add([...given]),
    remove: (key: number) => {
      setProblem(null)
      setFiles((before) => before.filter((one) => one.key !== key))
    },
    clear: () => setFiles([]),
    giveBack: (given: readonly Attachment[]) => setFiles(given),
    target: {
      onDragOver(event: DragEvent) {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent) {
        if (event.dataTransfer.files.length === 0) return
        event.preventDefault()
        setOver(false)
        void add([...event.dataTransfer.files])
      },
    },
  }
}
