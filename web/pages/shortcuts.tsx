/** The keys that work, by place. */
import { isMac, strings } from '../strings/pages.js'
import { Dialog } from './dialog.js'

type Keys = readonly (readonly [keys: readonly string[], what: string])[]

export function Shortcuts({ close }: { close(): void }) {
  const command = isMac() ? '⌘' : 'Ctrl'
  const groups: readonly (readonly [string, Keys])[] = [
    [
      strings.keyGroups.everywhere,
      [
        [[command, 'K'], strings.keys.search],
        [[command, '⇧', 'O'], strings.keys.newChat],
        [[command, 'B'], strings.keys.list],
        [['?'], strings.keys.help],
        [['Esc'], strings.keys.stop],
      ],
    ],
    [
      strings.keyGroups.writing,
      [
        [['Enter'], strings.keys.send],
        [['⇧', 'Enter'], strings.keys.newline],
        [['↑'], strings.keys.editLast],
      ],
    ],
    [
      strings.keyGroups.reading,
      [
        [['↑', '↓'], strings.keys.listMove],
        [['F2'], strings.rename],
      ],
    ],
  ]
  return (
    <Dialog label={strings.shortcuts} close={close}>
      {groups.map(([name, keys]) => (
        <section key={name} className="keys">
          <h3>{name}</h3>
          <dl>
            {keys.map(([pressed, what]) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>
                  {pressed.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
