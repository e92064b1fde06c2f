import { z } from 'zod'
import type { Branch } from '../../store/contract/branch.js'
import { id, instant } from './common.js'

export const branchName = z.string().min(1).max(200)

export const branchSchema = z
  .object({ name: branchName, head_id: id.nullable(), updated_at: instant })
  .meta({ id: 'Branch', description: 'A named pointer to a message' })

export const branchOf = ({ name, head, updatedAt }: Branch): z.output<typeof branchSchema> => ({
  name,
  head_id: head,
  updated_at: updatedAt,
})
