/** Which of the forms that there are the caller would rather have; the first when it does not care. */

export function prefers<const T extends string>(request: Request, offers: readonly [T, ...T[]]): T {
  const header = request.headers.get('accept')
  if (header === null || header.length > 1_000) return offers[0]
  const wishes = header.split(',').map(wishOf)
  const rank = (offer: T): number => Math.max(0, ...wishes.map((wish) => weight(wish, offer)))
  return offers.reduce((best, offer) => (rank(offer) > rank(best) ? offer : best))
}

interface Wish {
  readonly type: string
  readonly quality: number
}

function wishOf(text: string): Wish {
  const [type = '', ...params] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = Number(params.find((param) => param.startsWith('q='))?.slice(2) ?? 1)
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** What is named counts more than what a star covers. */
function weight({ type, quality }: Wish, offer: string): number {
  if (type === offer) return quality
  if (type === '*/*' || type === `${offer.split('/')[0]}/*`) return quality / 1_000
  return 0
}
