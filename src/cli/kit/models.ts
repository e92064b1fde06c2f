/** The models of the settings, for commands that need one. */

import { openConnections } from '../../models/connect/connections.js'
import { type Model, ModelError, type Models } from '../../models/wire/contract.js'
import type { Desk } from './desk.js'
import { connecting } from './models-config.js'

export const modelsOf = async ({ settled }: Pick<Desk, 'settled'>): Promise<Models> =>
  (await openConnections(connecting(settled))).models

/** Null for a model that is known by its name alone: a window can be made for it all the same. */
export const modelNamed = (models: Models, name: string | undefined): Promise<Model | null> =>
  models.find(name).catch((error: unknown) => {
    if (ModelError.is(error) && error.code === 'unknown_model') return null
    throw error
  })
