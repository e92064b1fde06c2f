/** The keys that work, by place. */
import { Dialog } from '../dialog.js'
import { isMac, strings } from '../strings/pages.js'

type Keys = readonly (readonly [keys: string, what: string])[]

const groupsOf = ({ keys, keyGroups, rename }: typeof strings): readonly (readonly [string, Keys])[] => [
  [
    keyGroups.everywhere,
    [
      ['Ctrl K', keys.search],
      ['Ctrl ⇧ O', keys.newChat],
      ['Ctrl B', keys.list],
      ['?', keys.help],
      ['Esc', keys.stop],
    ],
  ],
  [
    keyGroups.writing,
    [
      ['Enter', keys.send],
      ['⇧ Enter', keys.newline],
      ['↑', keys.editLast],
    ],
  ],
  [
    keyGroups.talk,
    [
      ['/', keys.write],
      ['I', keys.inspect],
      ['T', keys.tree],
      ['J K', keys.messages],
    ],
  ],
  [
    keyGroups.message,
    [
      ['[ ]', keys.versions],
      ['E', keys.edit],
      ['C', keys.copy],
    ],
  ],
  [
    keyGroups.list,
    [
      ['↑ ↓', keys.listMove],
      ['F2', rename],
    ],
  ],
]

export const Shortcuts = ({ close }: { close(): void }) => (
  <Dialog label={strings.shortcuts} name="shortcuts" close={close}>
    <KeyList />
  </Dialog>
)

export function KeyList() {
  const command = isMac() ? '⌘' : 'Ctrl'
  return groupsOf(strings).map(([name, keys]) => (
    <section key={name} className="keys">
      <h3>{name}</h3>
      <dl>
        {keys.map(([pressed, what]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {pressed.split(' ').map((key) => (
                <kbd key={key}>{key === 'Ctrl' ? command : key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}
