import type { Rule } from '../../src/core/rules/table/rule.js'

export function rulesPage(write: boolean): Promise<boolean>
export function pageOf(rules: Readonly<Record<string, readonly Rule[]>>): string
