import type { Page } from 'playwright-core'

export const most: number
export function strange(readme: string, glossary: string): string[]
export function screens(page: Page, readme: string, folder: string): Promise<number>
