/** Models by the names that clients have for them: in full, without their provider, or none. */
import { type Model, ModelError, type Models } from '../../models/wire/contract.js'

/** Stands for whichever answers when none is named. */
const usualName = 'default'

/** Undefined when none is named: then the conversation's own answers, or the usual one. */
export async function modelNamed(models: Models, name: string | null | undefined): Promise<Model | undefined> {
  if (name === undefined || name === null || name === usualName) return undefined
  try {
    return await models.find(name)
  } catch (error) {
    if (!ModelError.is(error) || error.code !== 'unknown_model') throw error
    const listed = (await models.list()).find(({ id }) => id.slice(id.indexOf('/') + 1) === name)
    if (!listed) throw error
    return models.find(listed.id)
  }
}
