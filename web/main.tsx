import './tokens.css'
import './style.css'
import './sidebar/sidebar.css'
import './search/search.css'
import './chat/log.css'
import './chat/composer.css'
import './chat/prose.css'
import './receipt/strip.css'
import './receipt/line.css'
import './chat/views.css'
import './inspector/inspector.css'
import './inspector/beyond.css'
import './inspector/sign.css'
import './inspector/list.css'
import './inspector/map.css'
import './inspector/wire.css'
import './inspector/diff.css'
import './inspector/what-if.css'
import './inspector/time.css'
import './inspector/narrow.css'
import './pages/pages.css'
import './pages/demo.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.js'
import { speak } from './language.js'
import { keepForOffline } from './offline.js'
import { Broken } from './pages/broken.js'
import { setTheme, theme } from './theme.js'

setTheme(theme())
// without its file the app speaks English
await speak().catch(() => {})
const place = document.getElementById('app')
if (place) {
  const root = createRoot(place, {
    // the app is gone from the page then: what takes its place offers a way out
    onUncaughtError: (error) => queueMicrotask(() => root.render(<Broken error={error} />)),
  })
  root.render(<App />)
  keepForOffline()
}
