/** The highest power of two that lies between the start of a turn and the start of the turn before it. */
export const roundness = (start: number, before: number): number => 31 - Math.clz32(start ^ before)
