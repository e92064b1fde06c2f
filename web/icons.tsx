/** Line drawings, all from one pen. */

const paths = {
  menu: 'M4 7h16M4 12h16M4 17h10',
  plus: 'M12 5v14M5 12h14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14m5 12 4 4',
  dots: 'M6 12h.01M12 12h.01M18 12h.01',
  pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M8 8h8v8H8z',
  edit: 'M5 19h4L19 9l-4-4L5 15z',
  back: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  play: 'm8 5 11 7-11 7z',
  alert: 'M12 4 3 20h18zM12 10v4M12 17h.01',
  again: 'M19 12a7 7 0 1 1-2-5m2-3v4h-4',
  eye: 'M3 12s3-6 9-6 9 6 9 6-3 6-9 6-9-6-9-6m9-2.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5',
  left: 'm14 7-5 5 5 5',
  right: 'm10 7 5 5-5 5',
  close: 'm7 7 10 10M17 7 7 17',
  up: 'M8 20V10l4-6c2 0 2 2 1 5h5l-1 8-2 3zM4 11v9',
  down: 'M8 4v10l4 6c2 0 2-2 1-5h5l-1-8-2-3zM4 4v9',
  'down-small': 'm7 10 5 5 5-5',
  'down-arrow': 'M12 5v14M6 13l6 6 6-6',
  file: 'M7 3h7l4 4v14H7zM14 3v4h4',
  clip: 'm20 11-8 8a5 5 0 0 1-7-7l8-8a3.3 3.3 0 0 1 5 5l-8 8a1.7 1.7 0 0 1-2.5-2.5l7-7',
  tree: 'M5 4v13a2 2 0 0 0 2 2h5M5 9h7M13 6h7v6h-7zM13 16h7v6h-7z',
  branch: 'M7 4v12M7 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4M17 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4M17 8c0 5-10 3-10 8',
  tool: 'M14 6a4 4 0 0 0-5 5l-5 5 3 3 5-5a4 4 0 0 0 5-5l-2 2-3-3z',
  folder: 'M4 7V6h6l2 2h8v11H4z',
  side: 'M4 5h16v14H4zM10 5v14',
  share: 'M12 15V4M8 8l4-4 4 4M5 13v6h14v-6',
  keep: 'M7 4h10v16l-5-4-5 4z',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  gear: 'M4 7h9m5 0h2M4 17h3m5 0h8M15.500 4.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5M9.500 14.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5',
  key: 'M8.5 11a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9m3.300 1.300L20 4m-4 4 3 3',
  lock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  chip: 'M8 8h8v8H8zM6 6h12v12H6zM9 3v3m6-3v3M9 18v3m6-3v3M3 9h3m-3 6h3M18 9h3m-3 6h3',
  bars: 'M6 20v-8m6 8V5m6 15v-5',
  box: 'M4 5h16v4H4zM6 9v10h12V9m-8 4h4',
  check: 'm5 13 4 4L19 7',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
