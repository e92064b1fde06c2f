/** What this browser keeps for when the service cannot be reached, and how it is forgotten. */

declare const trustedTypes: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } }

/** Only where the address is safe: over plain HTTP that is this machine alone. */
export function keepForOffline(): void {
  if (!isSecureContext || !('serviceWorker' in navigator)) return
  // the first paint comes first
  if (document.readyState !== 'complete') {
    addEventListener('load', keepForOffline, { once: true })
    return
  }
  const script = '/assets/sw.js'
  const policy =
    'trustedTypes' in globalThis
      ? trustedTypes.createPolicy('throughline-offline', { createScriptURL: () => script })
      : { createScriptURL: () => script }
  // without it the app works as long as the service does
  navigator.serviceWorker.register(policy.createScriptURL(script), { scope: '/' }).catch(() => {})
}

/** All that was read, of whoever read it. */
export async function forgetReads(): Promise<void> {
  if (!('caches' in globalThis)) return
  for (const name of await caches.keys()) if (name.startsWith('throughline-reads-')) await caches.delete(name)
}
