/** The words of a text that tell what it is about. */
import { tokens } from '../../store/search/terms.js'

const common = new Set(
  'the and for are but not you all any can had her was one our out has him his how its may new now old see two who did get let say she too use that this with have from they will would there their what about which when make like time just know take into year your good some could them than then look only come over think also back after work first well even want because these give most were been being more very here should does doing done yes okay sure thanks please'.split(
    ' ',
  ),
)

export function telling(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { kind, term } of tokens(text))
    if (kind === 'pair' || (kind === 'word' && term.length > 2 && !common.has(term))) found.add(term)
  return found
}
