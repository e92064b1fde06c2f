import { payloads } from './payloads.js'
import { staysWords } from './written.suite.js'

staysWords(payloads)
