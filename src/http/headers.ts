/** What every answer says to a browser; an answer that says it otherwise keeps its own word. */

const standing: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

export function withHeaders(response: Response, requestId: string, origin: string | null): Response {
  const { headers } = response
  for (const name in standing) if (!headers.has(name)) headers.set(name, standing[name] as string)
  // a provider's own name for the request is the one its support knows
  if (!headers.has('x-request-id')) headers.set('x-request-id', requestId)
  if (origin !== null) share(headers, origin)
  return response
}

function share(headers: Headers, origin: string): void {
  headers.set('access-control-allow-origin', origin)
  headers.set(
    'access-control-expose-headers',
    'etag, location, retry-after, x-request-id, x-throughline-conversation, x-throughline-receipt, x-throughline-run',
  )
  headers.set('cross-origin-resource-policy', 'cross-origin')
  headers.append('vary', 'Origin')
}

/** The answer to OPTIONS: the methods, and to a preflight of an allowed origin its leave. */
export function preflight(allow: string, origin: string | null): Response {
  const leave =
    origin === null
      ? null
      : {
          'access-control-allow-methods': allow,
          'access-control-allow-headers':
            'authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, x-api-key, x-throughline-conversation',
          'access-control-max-age': '600',
        }
  return new Response(null, { status: 204, headers: { allow, ...leave } })
}
