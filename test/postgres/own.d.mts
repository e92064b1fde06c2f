export declare function own(admin: string, distribute: boolean): Promise<{ url: string; drop: () => Promise<void> }>
export declare function command(url: string, sql: string): Promise<void>
