/** SHA-256 in plain JavaScript, for places without a crypto library. */

const rounds = /* @__PURE__ */ constants(64, Math.cbrt)
const seed = /* @__PURE__ */ constants(8, Math.sqrt)

/** The hash of the bytes, or of the text's UTF-8 bytes, in hex. */
export function sha256(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000))
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0)
  const state = Int32Array.from(seed)
  const words = new Int32Array(64)
  for (let offset = 0; offset < padded.length; offset += 64) compress(state, words, view, offset)
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

function compress(state: Int32Array, w: Int32Array, view: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(offset + i * 4)
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number
    const y = w[i - 2] as number
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (rounds[i] as number) + (w[i] as number)) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const next: Eight = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = (state[i] as number) + (next[i] as number)
}

type Eight = [number, number, number, number, number, number, number, number]

/** The first 32 bits of the fractional parts of the roots of the first primes. */
function constants(count: number, rootOf: (prime: number) => number): Int32Array {
  const out = new Int32Array(count)
  for (let n = 2, found = 0; found < count; n++) {
    let prime = true
    for (let k = 2; k * k <= n && prime; k++) prime = n % k !== 0
    if (prime) out[found++] = (rootOf(n) % 1) * 0x1_0000_0000
  }
  return out
}
