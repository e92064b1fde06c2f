import './style.css'
import './sidebar/sidebar.css'
import './search/search.css'
import './chat/log.css'
import './chat/composer.css'
import './chat/prose.css'
import './chat/views.css'
import './inspector/inspector.css'
import './inspector/beyond.css'
import './pages/pages.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.js'
import { Broken } from './pages/broken.js'
import { setTheme, theme } from './theme.js'

setTheme(theme())
const place = document.getElementById('app')
if (place) {
  const root = createRoot(place, {
    // the app is gone from the page then: what takes its place offers a way out
    onUncaughtError: (error) => queueMicrotask(() => root.render(<Broken error={error} />)),
  })
  root.render(<App />)
}
