/** Who wrote a line, or decided something. */
export type Author = { by: 'agent' } | { by: 'hub' } | { by: 'person'; name: string; device: string };
