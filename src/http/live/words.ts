import { z } from 'zod'
import { isBlank } from '../../core/message/text.js'

/** Something that a reader can see. */
export const filledText = z.string().refine((text) => !isBlank(text), 'must not be empty')
