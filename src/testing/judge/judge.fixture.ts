import { deflateSync } from 'node:zlib'
import type { JudgeRequest } from './scope.js'

/** A request that a rule refuses, and its nearest neighbour that it lets pass. */
export interface JudgeCase {
  readonly rule: string
  readonly says: string
  readonly bad: JudgeRequest
  readonly good: JudgeRequest
}

export type Extra = Readonly<Record<string, unknown>>
export type Told = Partial<Omit<JudgeRequest, 'body'>>

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))
const u32 = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]
const u16 = (value: number) => [value >> 8, value & 255]
const le16 = (value: number) => [value & 255, value >> 8]

/** Pictures with an honest header and next to no pixels. */
export const png = (width: number, height: number, padding = 0): string =>
  bytes(
    [0x89],
    'PNG\r\n\x1a\n',
    u32(13),
    'IHDR',
    u32(width),
    u32(height),
    [8, 2, 0, 0, 0],
    [...deflateSync(Buffer.alloc(3))],
    new Array<number>(padding).fill(0),
  ).toString('base64')
export const jpeg = (width: number, height: number): string =>
  bytes(
    [0xff, 0xd8, 0xff, 0xe0, 0, 16],
    'JFIF\0',
    [1, 1, 0, 0, 1, 0, 1, 0, 0],
    [0xff, 0xc0, 0, 17, 8],
    u16(height),
    u16(width),
    [3, 1, 17, 0, 2, 17, 1, 3, 17, 1],
  ).toString('base64')
export const gif = (width: number, height: number): string =>
  bytes('GIF89a', le16(width), le16(height), [0, 0, 0, 0x3b]).toString('base64')
export const webp = (width: number, height: number): string =>
  bytes(
    'RIFF',
    [30, 0, 0, 0],
    'WEBPVP8X',
    [10, 0, 0, 0, 0, 0, 0, 0],
    [...le16(width - 1), 0, ...le16(height - 1), 0],
    [0, 0],
  ).toString('base64')
export const heic = (): string => bytes([0, 0, 0, 24], 'ftypheic', [0, 0, 0, 0]).toString('base64')
export const url = (media: string, data: string): string => `data:${media};base64,${data}`

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
