/** What a token allows; each includes those before it. */
export const SCOPES = ['watch', 'approve', 'drive', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];
