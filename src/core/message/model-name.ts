/** Compares model names without the provider's prefix and case. */
export function sameModel(one: string | undefined, other: string | undefined): boolean {
  if (!one || !other) return false
  return one === other || bare(one) === bare(other)
}

const bare = (model: string): string => model.slice(model.lastIndexOf('/') + 1).toLowerCase()

/** The same model, asked the same way: where both names say the provider, it is one provider. */
export function sameRoute(one: string | undefined, other: string | undefined): boolean {
  if (!sameModel(one, other)) return false
  const [here, there] = [routeOf(one), routeOf(other)]
  return here === '' || there === '' || here === there
}

const routeOf = (model = ''): string => model.slice(0, Math.max(0, model.lastIndexOf('/'))).toLowerCase()
