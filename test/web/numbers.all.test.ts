import { figuresAreTheRequest } from './numbers.suite.js'

figuresAreTheRequest(Array.from({ length: 50 }, (_, at) => at + 1))
