import { numbersAgree } from './numbers.suite.js'

numbersAgree(25)
