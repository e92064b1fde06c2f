/** A window as its JSON: what was written when it was made is not written again. */
import { writtenAs } from '../core/window/settle.js'
import type { OperationContext } from '../operations/context.js'
import { assembleWindow } from '../operations/windows.js'
import type { Context } from './kit/context.js'
import { written } from './kit/route.js'

export async function writeWindow(_: Context, work: OperationContext, given: never): Promise<Response> {
  const { request, items, ...rest } = await assembleWindow.run(work, given)
  const list = items.map((item, i) => (i === 0 ? '' : ',') + JSON.stringify(item))
  return written(['{"request":', writtenAs(request), ',"items":[', ...list, '],', JSON.stringify(rest).slice(1)])
}
