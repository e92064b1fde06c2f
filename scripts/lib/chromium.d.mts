export const chromiumPath: string | null
export const whyNot: string
