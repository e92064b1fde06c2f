/** Gemini 3 and later sign their calls and want the signatures back; image models do not. */
export function signsCalls(model: string | undefined): boolean {
  const [, version, rest = ''] = /gemini-(\d+)(?:\.\d+)?([\w.-]*)/i.exec(model ?? '') ?? []
  return Number(version) >= 3 && !/image/i.test(rest)
}

/** Google's own word for a call whose signature is not to be had; it is sent as it is, not in base64. */
export const skipSignature = 'skip_thought_signature_validator'
