import { meetFaults } from './faults.fixture.js'

meetFaults(() => true)
