/** A file that is dragged over a place, and dropped on it. */
import { type DragEvent, useState } from 'react'

export function useFileDrop(take: (file: File) => void) {
  const [isOver, setOver] = useState(false)
  const hasFile = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')
  return {
    isOver,
    on: {
      onDragOver(event: DragEvent) {
        if (!hasFile(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave(event: DragEvent) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      },
      onDrop(event: DragEvent) {
        if (!hasFile(event)) return
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file) take(file)
      },
    },
  }
}
