/** The models of the settings, for commands that need one. */

import { openConnections } from '../../models/connect/connections.js'
import type { Models } from '../../models/wire/contract.js'
import type { Cli } from './desk.js'
import { connecting } from './models-config.js'

export const modelsOf = async ({ settled }: Pick<Cli, 'settled'>): Promise<Models> =>
  (await openConnections(connecting(settled))).models
