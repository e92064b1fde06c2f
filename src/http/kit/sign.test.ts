import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../store/memory/store.js'
import { openSigner, type SignedTurn } from './sign.js'

const turn: SignedTurn = { workspace: 'w', conversation: null, role: 'assistant', content: 'Team Blue owns it.' }

describe('a signature', () => {
  test('proves a turn on every replica, because they share one secret', async () => {
    const store = memoryStore()
    const replicas = Array.from({ length: 5 }, () => openSigner(store))
    const signatures = await Promise.all(replicas.map((replica) => replica.sign(turn)))
    expect(new Set(signatures).size).toBe(1)
    const late = openSigner(store)
    expect(await late.verify(turn, signatures[0] as string)).toBe(true)
  })

  test('says nothing for another workspace, conversation, text or secret', async () => {
    const store = memoryStore()
    const signer = openSigner(store)
    const signature = await signer.sign(turn)
    const others: SignedTurn[] = [
      { ...turn, workspace: 'v' },
      { ...turn, conversation: 'w' },
      { ...turn, conversation: '' },
      { ...turn, conversation: 'null' },
      { ...turn, content: 'Team Red owns it.' },
      { ...turn, content: `${turn.content}\u200b` },
    ]
    for (const other of others) expect(await signer.verify(other, signature)).toBe(false)
    expect(await openSigner(memoryStore()).verify(turn, signature)).toBe(false)
  })

  test('is broken by every flipped bit, and by every other way to write it', async () => {
    const signer = openSigner(memoryStore())
    const signature = await signer.sign(turn)
    const mac = Buffer.from(signature.slice(3), 'base64url')
    for (let bit = 0; bit < mac.length * 8; bit++) {
      const flipped = Buffer.from(mac)
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(await signer.verify(turn, `v1.${flipped.toString('base64url')}`)).toBe(false)
    }
    const forms = [
      signature.slice(3),
      `v2.${signature.slice(3)}`,
      `v1.${mac.toString('base64')}`,
      `v1.${mac.toString('hex')}`,
      `${signature}=`,
      ` ${signature}`,
      `${signature}\n`,
      'v1.',
      '',
    ]
    for (const form of forms) expect(await signer.verify(turn, form)).toBe(false)
  })

  test('comes back when the store could not be reached at first', async () => {
    const store = memoryStore()
    let down = true
    const shaky = {
      ...store,
      getRecord: (...args: Parameters<typeof store.getRecord>) =>
        down ? Promise.reject(new Error('down')) : store.getRecord(...args),
    }
    const signer = openSigner(shaky)
    await expect(signer.sign(turn)).rejects.toThrow('down')
    down = false
    expect(await signer.verify(turn, await signer.sign(turn))).toBe(true)
  })
})
