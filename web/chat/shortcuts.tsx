import { chat as words } from '../strings/chat.js'
import { View } from './view.js'

export function Shortcuts({ close }: { close(): void }) {
  return (
    <View title={words.shortcuts} name="shortcuts" close={close}>
      <dl>
        {words.keys.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </View>
  )
}
