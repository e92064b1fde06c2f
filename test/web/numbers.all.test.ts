/** Fifty conversations; as many as the bar asks for, three hundred, where a run searches. */
import { deep } from '../runs.js'
import { figuresAreTheRequest } from './numbers.suite.js'

figuresAreTheRequest(Array.from({ length: deep ? 300 : 50 }, (_, at) => at + 1))
