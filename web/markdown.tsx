export { Copy } from './copy.js'
