import { comesBack } from './injection.fixture.js'

comesBack(1_000_000)
