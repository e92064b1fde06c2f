import './style.css'
import './inspector/inspector.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.js'
import { setTheme, theme } from './theme.js'

setTheme(theme())
const place = document.getElementById('app')
if (place) createRoot(place).render(<App />)
